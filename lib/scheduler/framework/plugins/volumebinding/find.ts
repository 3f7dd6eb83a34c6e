import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { SELECTED_NODE } from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { askedOf, bestMatchFor, classOf } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { isAllowed } from '#lib/helpers/component-helpers/storage/volume/topology-selector.ts';
import { annotationsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantity.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import { newStatus, type Status } from '../../status.ts';
import { hasEnoughCapacity } from './capacity.ts';
import { isWithinReach } from './migrated.ts';
import type { Binding, Caches, PodVolumeClaims, PodVolumes } from './pod-volumes.ts';

type Reason = 'node' | 'bind' | 'space' | 'lost';

/** The messages of the reasons, in the order in which a status lists them. */
const REASONS: ReadonlyMap<Reason, string> = new Map([
  ['node', "node(s) didn't match PersistentVolume's node affinity"],
  ['bind', "node(s) didn't find available persistent volumes to bind"],
  ['space', 'node(s) did not have enough free storage'],
  ['lost', 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'],
]);

const NOT_SUPPORTED = 'kubernetes.io/no-provisioner';

/** Finds the volumes that a pod's claims would get on a node, or returns a refusal: upstream's FindPodVolumes. */
export function findPodVolumes(
  handle: Handle,
  caches: Caches,
  claims: PodVolumeClaims,
  node: NodeInfo,
): PodVolumes | Status {
  const found = findDelayed(handle, claims, node);
  if (typeof found === 'object' && 'code' in found) return found;
  const why = [checkBound(handle, caches, claims.bound, node), typeof found === 'string' ? found : undefined];
  const reasons = [...REASONS].flatMap(([reason, text]) => (why.includes(reason) ? [text] : []));
  return typeof found === 'string' || reasons.length > 0
    ? newStatus('UnschedulableAndUnresolvable', ...reasons)
    : found;
}

/** The reason why the first unusable volume of the bound claims cannot be used on the node. */
function checkBound(
  handle: Handle,
  { volumes }: Caches,
  bound: readonly PersistentVolumeClaim[],
  node: NodeInfo,
): Reason | undefined {
  for (const claim of bound) {
    const volume = volumes.get('', claim.spec.volumeName ?? '');
    if (volume === undefined) return 'lost';
    if (!isWithinReach(handle, node, volume)) return 'node';
  }
  return undefined;
}

function findDelayed(handle: Handle, claims: PodVolumeClaims, node: NodeInfo): PodVolumes | Status | Reason {
  const selected = claims.delayed.map((claim) => annotationsOf(claim)[SELECTED_NODE]);
  if (selected.some((name) => name !== undefined && name !== node.name)) return 'bind';
  const started = claims.delayed.filter((_, i) => selected[i] !== undefined);
  const free = claims.delayed.filter((_, i) => selected[i] === undefined);
  const { bindings, unmatched } = findMatching(free, claims.volumes, node);
  const provisions = [...started, ...unmatched];
  return checkProvisions(handle, provisions, node) ?? { bindings, provisions };
}

/** Matches small claims first, so that each gets the smallest volume left. */
function findMatching(
  claims: readonly PersistentVolumeClaim[],
  volumes: PodVolumeClaims['volumes'],
  { labels }: NodeInfo,
): { readonly bindings: Binding[]; readonly unmatched: PersistentVolumeClaim[] } {
  const [bindings, unmatched]: [Binding[], PersistentVolumeClaim[]] = [[], []];
  const taken = new Set<PersistentVolume>();
  for (const claim of claims.toSorted((a, b) => compareQuantities(askedOf(a), askedOf(b)))) {
    const left = (volumes.get(classOf(claim)) ?? []).filter((volume) => !taken.has(volume));
    const volume = bestMatchFor(labels, claim, left);
    if (volume === undefined) unmatched.push(claim);
    else bindings.push({ claim, volume });
    if (volume !== undefined) taken.add(volume);
  }
  return { bindings, unmatched };
}

/** The reason why a claim's volume cannot be provisioned there; undefined if all can. */
function checkProvisions(
  handle: Handle,
  claims: readonly PersistentVolumeClaim[],
  { labels }: NodeInfo,
): Status | Reason | undefined {
  for (const claim of claims) {
    const name = classOf(claim);
    if (name === '') return newStatus('Error', `no class for claim "${namespaceOf(claim)}/${nameOf(claim)}"`);
    const found = handle.lister('storageclasses').get('', name);
    if (found === undefined) return newStatus('Error', `failed to find storage class "${name}"`);
    if (['', NOT_SUPPORTED].includes(found.provisioner)) return 'bind';
    if (!isAllowed(found.allowedTopologies ?? [], labels)) return 'bind';
    if (!hasEnoughCapacity(handle, claim, found, labels)) return 'space';
  }
  return undefined;
}
