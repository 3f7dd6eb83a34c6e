import type { Client, ObjectRef } from '#lib/client/client.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import { classOf } from '#lib/component-helpers/storage/volume/match.ts';
import type { Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { isLeftOver, newStorageClass, newVolume, PROVISIONER, wantsVolume } from './volume.ts';

const CLASSES = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
const CLAIMS = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };
const VOLUMES = { group: '', version: 'v1', resource: 'persistentvolumes' };
const CLASS = 'class';

/**
 * Gives claims volumes that hold nothing: a pod with a claim is given a node only when the claim has a volume. The class is made when this
 * starts, where it is not there.
 */
export function simulatedVolumes(client: Client): Reconciler {
  return {
    name: 'simulated-volumes',
    initial: [CLASS],
    keys(change) {
      const { group, resource, type, namespace, name } = change;
      if (group !== '' || type === 'DELETED' || !change.mentions(PROVISIONER)) return [];
      if (resource === 'persistentvolumeclaims')
        return wantsVolume(change.object()) ? [`claim/${namespace}/${name}`] : [];
      return resource === 'persistentvolumes' && isLeftOver(change.object()) ? [`volume/${name}`] : [];
    },
    async reconcile(key): Promise<Result> {
      const [of, first = '', second = ''] = key.split('/');
      if (of === CLASS) await makeClass(client);
      if (of === 'claim') await provide(client, { resource: CLAIMS, namespace: first, name: second });
      if (of === 'volume') await remove(client, { resource: VOLUMES, namespace: '', name: first });
      return undefined;
    },
  };
}

async function makeClass(client: Client): Promise<void> {
  const classes = await client.list(CLASSES);
  const made = newStorageClass(classes);
  if (classes.some((one) => nameOf(one) === nameOf(made))) return;
  await client.create(CLASSES, made).catch(ignore('AlreadyExists'));
}

async function provide(client: Client, ref: ObjectRef): Promise<void> {
  const claim = await client.get(ref);
  if (claim === undefined || !wantsVolume(claim)) return;
  const storageClass = await client.get({ resource: CLASSES, namespace: '', name: classOf(claim) });
  if (!isOurs(storageClass)) return;
  await client.create(VOLUMES, newVolume(claim, storageClass)).catch(ignore('AlreadyExists'));
}

const isOurs = (storageClass: JsonObject | undefined): storageClass is JsonObject =>
  storageClass !== undefined && text(storageClass, 'provisioner') === PROVISIONER;

async function remove(client: Client, ref: ObjectRef): Promise<void> {
  const volume = await client.get(ref);
  if (volume === undefined || !isLeftOver(volume)) return;
  await client.delete(ref, { uid: uidOf(volume) }).catch(ignoreNotFound);
}
