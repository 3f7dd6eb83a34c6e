import type { Json } from '#lib/machinery/json-value.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import { isScalarResource, type Resource } from '../../resource.ts';
import type { ResourceSpec } from './args.ts';

/** The amounts of one resource of a node. */
export interface ResourceAmount {
  readonly weight: number;
  /** The requests of the node's pods plus those of the incoming pod. */
  readonly requested: number;
  /** The requests of the node's pods. */
  readonly allocated: number;
  readonly allocatable: number;
}

/** Scores a node, 0 to 100, by its requested and allocatable amounts. */
export type Scorer = (amounts: readonly ResourceAmount[]) => number;

/** The resources to score by and how to count their requests. */
export interface Counting {
  readonly resources: readonly ResourceSpec[];
  /** Counts containers without requests with upstream's default requests. */
  readonly assumesNonZero: boolean;
}

type ProcessorAndMemory = Pick<Resource, 'milliCpu' | 'memory'>;

/** The pod's requests, in the order of the resources. */
export const podRequests = ({ requests, nonZero }: PodInfo, { resources, assumesNonZero }: Counting): number[] =>
  resources.map(({ name }) => amountOf(name, requests, assumesNonZero ? nonZero : requests));

/** A value that is equal for pods with equal requests. */
export const requestsSignature = ({ requests, nonZero }: PodInfo): Json => [
  requests.milliCpu,
  requests.memory,
  requests.ephemeralStorage,
  nonZero.milliCpu,
  nonZero.memory,
  [...requests.scalar],
];

/** The amounts of the compared resources. Leaves out a scalar resource that the pod does not request. */
export function amountsOn(node: NodeInfo, requests: readonly number[], counting: Counting): ResourceAmount[] {
  const { requested: used, allocatable: all } = node;
  const usedMost = counting.assumesNonZero ? node.nonZeroRequested : used;
  const amounts: ResourceAmount[] = [];
  for (const [i, { name, weight }] of counting.resources.entries()) {
    const more = requests[i] ?? 0;
    const allocatable = amountOf(name, all, all);
    if (allocatable === 0 || (more === 0 && isScalarResource(name))) continue;
    const allocated = amountOf(name, used, usedMost);
    amounts.push({ weight, requested: allocated + more, allocated, allocatable });
  }
  return amounts;
}

function amountOf(name: string, amounts: Resource, { milliCpu, memory }: ProcessorAndMemory): number {
  if (name === 'cpu') return milliCpu;
  if (name === 'memory') return memory;
  return name === 'ephemeral-storage' ? amounts.ephemeralStorage : (amounts.scalar.get(name) ?? 0);
}

/** The weighted mean of the resources' scores, rounded down. */
export function weightedMean(amounts: readonly ResourceAmount[], scoreOf: (amount: ResourceAmount) => number): number {
  const weights = amounts.reduce((sum, { weight }) => sum + weight, 0);
  const scores = amounts.reduce((sum, amount) => sum + scoreOf(amount) * amount.weight, 0);
  return weights === 0 ? 0 : Math.trunc(scores / weights);
}
