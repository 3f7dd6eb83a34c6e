import type { NodeInfo } from '../../node-info.ts';
import type { Resource } from '../../resource.ts';

/** A resource that the node has too little of. */
export interface InsufficientResource {
  readonly reason: string;
  /** Whether even the empty node would be too small. */
  readonly unresolvable: boolean;
  readonly name: string;
  /** Amounts in the units of `Resource`, with CPU in thousandths. */
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** Whether to skip the comparison of a resource. */
export type IsIgnored = (resource: string) => boolean;

const NEVER: IsIgnored = () => false;

/** The resources that the node lacks for a pod with this request: upstream's fitsRequest. */
export function insufficientResources(
  request: Resource,
  { allocatable, requested, pods }: Pick<NodeInfo, 'allocatable' | 'requested' | 'pods'>,
  isIgnored: IsIgnored = NEVER,
): InsufficientResource[] {
  const lacking: InsufficientResource[] = [];
  const check = (name: string, amount: number, capacity: number, used: number): void => {
    if (amount > 0 && amount > capacity - used)
      lacking.push({
        reason: `Insufficient ${name}`,
        unresolvable: amount > capacity,
        name,
        requested: amount,
        used,
        capacity,
      });
  };
  if (pods.size + 1 > allocatable.allowedPodNumber)
    lacking.push({
      reason: 'Too many pods',
      unresolvable: false,
      name: 'pods',
      requested: 1,
      used: pods.size,
      capacity: allocatable.allowedPodNumber,
    });
  check('cpu', request.milliCpu, allocatable.milliCpu, requested.milliCpu);
  check('memory', request.memory, allocatable.memory, requested.memory);
  check('ephemeral-storage', request.ephemeralStorage, allocatable.ephemeralStorage, requested.ephemeralStorage);
  for (const [name, amount] of request.scalar) {
    if (isIgnored(name)) continue;
    check(name, amount, allocatable.scalar.get(name) ?? 0, requested.scalar.get(name) ?? 0);
  }
  return lacking;
}
