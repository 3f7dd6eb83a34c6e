import { CPUSet } from '../cpuset.ts';
import { CPUAccumulator, type TakeRequest } from './cpu-accumulator.ts';
import { bestDistribution, combinations } from './distribution.ts';

/**
 * Takes CPUs from as few NUMA nodes, sockets and cores as possible (upstream: takeByTopologyNUMAPacked). `alignUncore` prefers few
 * last-level caches. Throws Error with upstream's text if too few are available.
 */
export function takePacked(request: TakeRequest, alignUncore: boolean): CPUSet {
  const taken = new CPUAccumulator(request);
  if (taken.isSatisfied) return taken.result;
  if (taken.isFailed) throw tooFew(request);
  const steps = [
    () => taken.takeFullNodesAndSockets(),
    ...(alignUncore ? [() => taken.takeUncoreCache()] : []),
    ...(request.strategy === 'spread' ? [] : [() => taken.takeFullCores()]),
    () => taken.takeRemainingCPUs(),
  ];
  for (const step of steps) {
    step();
    if (taken.isSatisfied) return taken.result;
  }
  throw new Error('failed to allocate cpus');
}

const tooFew = ({ numCPUs, available }: TakeRequest): Error =>
  new Error(`not enough cpus available to satisfy request: requested=${numCPUs}, available=${available.size}`);

/**
 * Takes the same number of CPUs from as few NUMA nodes as possible, in groups of `groupSize` (KEP-2902; upstream:
 * takeByTopologyNUMADistributed). Packs them if no set of nodes can share the load.
 */
export function takeDistributed(request: TakeRequest, groupSize: number): CPUSet {
  const { numCPUs, topology, strategy } = request;
  if (numCPUs % groupSize !== 0) return takePacked(request, false);
  const taken = new CPUAccumulator(request);
  if (taken.isSatisfied) return taken.result;
  if (taken.isFailed) throw tooFew(request);
  const nodes = taken.sortedNUMANodes();
  const free = new Map(nodes.map((node) => [node, taken.free.cpusIn('numaNodeID', [node]).size]));
  const { least, most } = nodesNeeded(request, { groupSize, nodesAvailable: nodes.length });
  for (let count = least; count <= most; count += 1) {
    const best = bestDistribution(combinations(nodes, count), { free, numCPUs, groupSize });
    if (best === undefined) continue;
    const takeFrom = (node: number, amount: number): void => {
      const available = taken.free.cpusIn('numaNodeID', [node]);
      taken.take(takePacked({ topology, available, numCPUs: amount, strategy }, false));
    };
    for (const node of best.nodes) takeFrom(node, best.each);
    let rest = numCPUs - best.each * best.nodes.length;
    while (rest > 0) {
      for (const node of best.remainder) {
        if (rest === 0) break;
        if (taken.free.cpusIn('numaNodeID', [node]).size < groupSize) continue;
        takeFrom(node, groupSize);
        rest -= groupSize;
      }
    }
    return taken.result;
  }
  return takePacked(request, false);
}

/** The minimum and maximum number of NUMA nodes that could provide the CPUs. */
function nodesNeeded(
  { topology, numCPUs }: TakeRequest,
  { groupSize, nodesAvailable }: { readonly groupSize: number; readonly nodesAvailable: number },
): { readonly least: number; readonly most: number } {
  const { details, numNUMANodes } = topology;
  const groupsPerNode = Math.ceil(Math.ceil(details.cpus().size / groupSize) / numNUMANodes);
  const groupsNeeded = Math.ceil(numCPUs / groupSize);
  return { least: Math.ceil(groupsNeeded / groupsPerNode), most: Math.min(groupsNeeded, nodesAvailable) };
}
