"""Solves a DIMACS problem of standard input with OR-Tools' SimpleMinCostFlow (PyPI: ortools).

Prints the optimal cost and the median processor time of nine solves, in milliseconds, after three more; or why it did not."""
import statistics, sys, time
try:
    import numpy
    from ortools.graph.python import min_cost_flow
except ImportError as error:
    sys.exit(print(f'skipped: {error}'))
supply, arcs = None, []
for line in sys.stdin:
    fields = line.split()
    if fields[0] == 'p': supply = numpy.zeros(int(fields[2]), dtype=numpy.int64)
    elif fields[0] == 'n': supply[int(fields[1]) - 1] = int(fields[2])
    elif fields[0] == 'a': arcs.append([int(field) for field in fields[1:]])
arcs, times = numpy.array(arcs), []
for _ in range(12):
    problem = min_cost_flow.SimpleMinCostFlow()
    problem.add_arcs_with_capacity_and_unit_cost(arcs[:, 0] - 1, arcs[:, 1] - 1, arcs[:, 3], arcs[:, 4])
    problem.set_nodes_supplies(numpy.arange(len(supply)), supply)
    begin = time.process_time()
    status = problem.solve()
    times.append(time.process_time() - begin)
print(problem.optimal_cost() if status == problem.OPTIMAL else status, 1000 * statistics.median(times[3:]))
