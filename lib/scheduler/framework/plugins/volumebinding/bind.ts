import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS } from '#lib/api/types/resources.ts';
import type { RefOf } from '#lib/client/clientset.ts';
import { SELECTED_NODE } from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Handle } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { isWithinReach } from './migrated.ts';
import { type Binding, isBound, type PodVolumes } from './pod-volumes.ts';

const [CLAIMS, VOLUMES] = [PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES];
/** The minimum interval between checks in milliseconds, and the interval's share of the time waited so far. Long waits check less often. */
const [INTERVAL, SHARE] = [1000, 1 / 8];

const refOf = <T extends JsonObject>(resource: ResourceOf<T>, object: T): RefOf<T> => ({
  resource,
  namespace: namespaceOf(object),
  name: nameOf(object),
});

/**
 * Binds volumes to claims, and writes the selected node of claims to provision. Adds each written object to `written`. Throws StatusError.
 */
export async function writeVolumes(
  { client }: Handle,
  { bindings, provisions }: PodVolumes,
  written: Set<JsonObject>,
): Promise<void> {
  const write = async <T extends JsonObject>(resource: ResourceOf<T>, object: T): Promise<void> => {
    await client.update(refOf(resource, object), object);
    written.add(object);
  };
  for (const { volume } of bindings) await write(VOLUMES, volume);
  for (const claim of provisions) await write(CLAIMS, claim);
}

/** Waits until controllers have bound all claims. Returns a reason if they will not be bound. */
export async function awaitBound(
  handle: Handle,
  pod: PodInfo,
  nodeName: string,
  { volumes, seconds }: { readonly volumes: PodVolumes; readonly seconds: number },
): Promise<string | undefined> {
  const { clock, signal } = handle;
  const begun = clock.monotonic();
  for (let waited = 0; waited < seconds * 1000; waited = clock.monotonic() - begun) {
    await clock.sleep(Math.max(INTERVAL, waited * SHARE), signal);
    if (signal.aborted) return 'context canceled';
    const found = await check(handle, pod, nodeName, volumes);
    if (found !== 'waits') return found === 'bound' ? undefined : found.failure;
  }
  return 'context deadline exceeded';
}

type Progress = 'bound' | 'waits' | { readonly failure: string };

/** Upstream's checkBindings, but on the server's state instead of the assumed one. */
async function check(handle: Handle, pod: PodInfo, nodeName: string, volumes: PodVolumes): Promise<Progress> {
  if ((await handle.client.get(refOf(PODS, pod.pod))) === undefined)
    return { failure: `pod does not exist any more: pod "${pod.name}" not found` };
  for (const binding of volumes.bindings) {
    const progress = await checkBinding(handle, nodeName, binding);
    if (progress !== 'bound') return progress;
  }
  for (const claim of volumes.provisions) {
    const progress = await checkProvision(handle, nodeName, claim);
    if (progress !== 'bound') return progress;
  }
  return 'bound';
}

async function checkBinding(handle: Handle, nodeName: string, { claim, volume }: Binding): Promise<Progress> {
  const now = await handle.client.get(refOf(VOLUMES, volume));
  if (now === undefined) return gone('check binding', 'persistentvolumes', nameOf(volume));
  const bound = await handle.client.get(refOf(CLAIMS, claim));
  if (bound === undefined) return gone('check binding', 'persistentvolumeclaims', keyOf(claim));
  const outOfReach = misplaced(handle, nodeName, now);
  if (outOfReach !== undefined) return outOfReach;
  if ((now.spec.claimRef?.uid ?? '') === '') return { failure: `ClaimRef got reset for pv "${nameOf(now)}"` };
  return isBound(bound) ? 'bound' : 'waits';
}

/** A provisioner removes the selected node from the claim when it fails. */
async function checkProvision(handle: Handle, nodeName: string, claim: PersistentVolumeClaim): Promise<Progress> {
  const now = await handle.client.get(refOf(CLAIMS, claim));
  if (now === undefined) return gone('check provisioning pvc', 'persistentvolumeclaims', keyOf(claim));
  if (annotationsOf(now)[SELECTED_NODE] !== nodeName)
    return { failure: `provisioning failed for PVC "${nameOf(claim)}"` };
  const { volumeName: name = '' } = now.spec;
  if (name === '') return 'waits';
  const volume = await handle.client.get({ resource: VOLUMES, namespace: '', name });
  if (volume === undefined) return 'waits';
  return misplaced(handle, nodeName, volume) ?? (isBound(now) ? 'bound' : 'waits');
}

const keyOf = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

const gone = (what: string, resource: string, name: string): Progress => ({
  failure: `failed to ${what}: ${resource} "${name}" not found`,
});

function misplaced(handle: Handle, nodeName: string, volume: PersistentVolume): Progress | undefined {
  const node = handle.snapshot().get(nodeName);
  if (node === undefined) return { failure: `failed to get node "${nodeName}": node "${nodeName}" not found` };
  if (isWithinReach(handle, node, volume)) return undefined;
  const [name, why] = [nameOf(volume), 'no matching NodeSelectorTerms'];
  return { failure: `pv "${name}" node affinity doesn't match node "${nodeName}": ${why}` };
}
