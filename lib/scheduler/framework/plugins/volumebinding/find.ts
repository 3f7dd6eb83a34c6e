import { SELECTED_NODE } from '#lib/component-helpers/storage/volume/annotations.ts';
import { askedOf, bestMatchFor, classOf, specOf } from '#lib/component-helpers/storage/volume/match.ts';
import { isAllowed } from '#lib/component-helpers/storage/volume/topology-selector.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantity.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import { newStatus, type Status } from '../../status.ts';
import { hasEnoughCapacity } from './capacity.ts';
import { isWithinReach } from './migrated.ts';
import type { Binding, Caches, PodVolumeClaims, PodVolumes } from './pod-volumes.ts';

type Reason = 'node' | 'bind' | 'space' | 'lost';

/** In the order in which they are told. */
const REASONS: ReadonlyMap<Reason, string> = new Map([
  ['node', "node(s) didn't match PersistentVolume's node affinity"],
  ['bind', "node(s) didn't find available persistent volumes to bind"],
  ['space', 'node(s) did not have enough free storage'],
  ['lost', 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'],
]);

const NOT_SUPPORTED = 'kubernetes.io/no-provisioner';

/** What a pod's claims would have on a node, or why they have it not: upstream's FindPodVolumes. */
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

/** The first that is amiss. */
function checkBound(
  handle: Handle,
  { volumes }: Caches,
  bound: readonly JsonObject[],
  node: NodeInfo,
): Reason | undefined {
  for (const claim of bound) {
    const volume = volumes.get('', text(specOf(claim), 'volumeName'));
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

/** Small claims first, so that each has the smallest volume that is left. */
function findMatching(
  claims: readonly JsonObject[],
  volumes: PodVolumeClaims['volumes'],
  { labels }: NodeInfo,
): { readonly bindings: Binding[]; readonly unmatched: JsonObject[] } {
  const [bindings, unmatched]: [Binding[], JsonObject[]] = [[], []];
  const taken = new Set<JsonObject>();
  for (const claim of claims.toSorted((a, b) => compareQuantities(askedOf(a), askedOf(b)))) {
    const left = (volumes.get(classOf(claim)) ?? []).filter((volume) => !taken.has(volume));
    const volume = bestMatchFor(labels, claim, left);
    if (volume === undefined) unmatched.push(claim);
    else bindings.push({ claim, volume });
    if (volume !== undefined) taken.add(volume);
  }
  return { bindings, unmatched };
}

/** Why a volume cannot be made there for each of them: the first that is in the way. */
function checkProvisions(
  handle: Handle,
  claims: readonly JsonObject[],
  { labels }: NodeInfo,
): Status | Reason | undefined {
  for (const claim of claims) {
    const name = classOf(claim);
    if (name === '') return newStatus('Error', `no class for claim "${namespaceOf(claim)}/${nameOf(claim)}"`);
    const found = handle.lister('storageclasses').get('', name);
    if (found === undefined) return newStatus('Error', `failed to find storage class "${name}"`);
    if (['', NOT_SUPPORTED].includes(text(found, 'provisioner'))) return 'bind';
    if (!isAllowed(items(found, 'allowedTopologies'), labels)) return 'bind';
    if (!hasEnoughCapacity(handle, claim, found, labels)) return 'space';
  }
  return undefined;
}
