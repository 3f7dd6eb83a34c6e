import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import { isScalarResource, type Resource } from '../../resource.ts';
import type { ResourceSpec } from './args.ts';

/** Of one resource of a node that has some. */
export interface ResourceAmount {
  readonly weight: number;
  /** With the pod that looks for a node. */
  readonly requested: number;
  /** Without it. */
  readonly allocated: number;
  readonly allocatable: number;
}

export type Scorer = (amounts: readonly ResourceAmount[]) => number;

export interface Counting {
  readonly resources: readonly ResourceSpec[];
  /** Containers that do not say what they need count for something. */
  readonly assumesNonZero: boolean;
}

type Requests = Pick<Resource, 'milliCpu' | 'memory' | 'ephemeralStorage'> & { readonly scalar: Resource['scalar'] };

/** What the pod counts for, resource by resource. */
export const podRequests = (pod: PodInfo, { resources, assumesNonZero }: Counting): number[] =>
  resources.map(({ name }) => amountOf(name, assumesNonZero ? { ...pod.requests, ...pod.nonZero } : pod.requests));

/** The resources that are compared, with what the pod counts for. A scalar one is left out where the pod does not ask for it. */
export function amountsOn(node: NodeInfo, wanted: readonly number[], counting: Counting): ResourceAmount[] {
  const used = counting.assumesNonZero ? { ...node.requested, ...node.nonZeroRequested } : node.requested;
  return counting.resources.flatMap(({ name, weight }, i) => {
    const more = wanted[i] ?? 0;
    const allocatable = amountOf(name, node.allocatable);
    if (allocatable === 0 || (more === 0 && isScalarResource(name))) return [];
    const allocated = amountOf(name, used);
    return [{ weight, requested: allocated + more, allocated, allocatable }];
  });
}

function amountOf(name: string, amounts: Requests): number {
  if (name === 'cpu') return amounts.milliCpu;
  if (name === 'memory') return amounts.memory;
  return name === 'ephemeral-storage' ? amounts.ephemeralStorage : (amounts.scalar.get(name) ?? 0);
}

/** The mean of the resources' scores by their weights, rounded down. */
export function weightedMean(amounts: readonly ResourceAmount[], scoreOf: (amount: ResourceAmount) => number): number {
  const weights = amounts.reduce((sum, { weight }) => sum + weight, 0);
  const scores = amounts.reduce((sum, amount) => sum + scoreOf(amount) * amount.weight, 0);
  return weights === 0 ? 0 : Math.trunc(scores / weights);
}
