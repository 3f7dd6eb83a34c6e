import { describe, expect, test } from 'vitest';
import { decodeDimacs, encodeSolution } from './dimacs.ts';
import { FlowSolver } from './flow-solver.ts';

const PROBLEM = ['c two ways', 'p min 3 3', 'n 1 4', 'n 3 -4', 'a 1 2 0 9 1', 'a 2 3 1 3 1', ' a  1 3 0 9 -2 ', ''];

async function solved(lines: readonly string[]): Promise<string[]> {
  const graph = await decodeDimacs(lines);
  return [...encodeSolution(graph, new FlowSolver(graph).solve() === 'optimal')];
}

describe('a DIMACS problem', () => {
  test('is solved with its cost and the flow of each arc that has any', async () => {
    expect(await solved(PROBLEM)).toEqual(['s -4', 'f 1 2 1', 'f 2 3 1', 'f 1 3 3']);
  });

  test('without a flow is infeasible', async () => {
    expect(await solved(['p min 2 0', 'n 1 1', 'n 2 -1'])).toEqual(['s INFEASIBLE']);
    expect(await solved(['p min 2 1', 'n 1 2', 'n 2 -1', 'a 1 2 0 5 0'])).toEqual(['s INFEASIBLE']);
  });

  test('adds the supplies of a node that has several lines', async () => {
    expect(await solved(['p min 2 1', 'n 1 2', 'n 1 -1', 'n 2 -1', 'a 1 2 0 5 3'])).toEqual(['s 3', 'f 1 2 1']);
  });
});

test.each([
  [[], 'line 0: expected "p min NODES ARCS"'],
  [['n 1 1'], 'line 1: expected "p min NODES ARCS" first'],
  [['p max 2 1'], 'line 1: expected "p min NODES ARCS"'],
  [['p min 2'], 'line 1: expected "p min NODES ARCS"'],
  [['p min 9000000 1'], 'line 1: 9000000 nodes; at most 8000000 are read'],
  [['p min 2 99000000'], 'line 1: 99000000 arcs; at most 16000000 are read'],
  [['p min 2 1', 'p min 2 1'], 'line 2: a second problem line'],
  [['p min 2 1', 'x'], 'line 2: unknown kind of line "x"; expected c, p, n or a'],
  [['p min 2 1', 'n 3 1'], 'line 2: no node 3; nodes are 1 to 2'],
  [['p min 2 1', 'n 0 1'], 'line 2: no node 0; nodes are 1 to 2'],
  [['p min 2 1', 'a 1 2 0 1'], 'line 2: expected "a FROM TO LOW CAPACITY COST"'],
  [['p min 2 1', 'a 1 2 0 1e3 0'], 'line 2: "1e3" is not an integer below 2^53'],
  [['p min 2 1', 'a 1 2 0 1 9007199254740993'], 'line 2: "9007199254740993" is not an integer below 2^53'],
  [['p min 2 1', 'a 1 2 3 1 0'], 'line 2: arc 1 -> 2: no flow is within 3 and 1'],
  [['p min 2 1', 'a 1 2 0 1 0', 'a 1 2 0 1 0'], 'line 3: more than the 1 arcs announced'],
  [['p min 2 2', 'a 1 2 0 1 0'], 'line 2: 1 arcs; the problem line announced 2'],
  [
    ['p min 2 2', 'a 1 2 0 9007199254740991 0', 'a 2 1 0 1 0'],
    'line 3: arc 2 -> 1 makes the sum of capacities at node 2 beyond 2^53',
  ],
])('rejects the problem %j', async (lines, message) => {
  await expect(decodeDimacs(lines)).rejects.toThrow(message);
});
