import { typedObject } from '#lib/api/typed.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, STORAGE_CLASSES } from '#lib/api/types/resources.ts';
import type { StorageClass } from '#lib/api/types/storage.v1.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import { classOf } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { isLeftOver, newStorageClass, newVolume, PROVISIONER, wantsVolume } from './volume.ts';

const CLASS = 'class';

/**
 * Provisions empty volumes for claims, because a pod with a claim is scheduled only after the claim has a volume. Creates the storage class
 * on start if it does not exist.
 */
export function simulatedVolumes(untyped: Client): Reconciler {
  const client = clientset(untyped);
  return {
    name: 'simulated-volumes',
    initial: [CLASS],
    keys(change) {
      const { group, resource, type, namespace, name } = change;
      if (group !== '' || type === 'DELETED' || !change.mentions(PROVISIONER)) return [];
      if (resource === 'persistentvolumeclaims')
        return wantsVolume(typedObject(PERSISTENT_VOLUME_CLAIMS, change.object()))
          ? [`claim/${namespace}/${name}`]
          : [];
      if (resource !== 'persistentvolumes') return [];
      return isLeftOver(typedObject(PERSISTENT_VOLUMES, change.object())) ? [`volume/${name}`] : [];
    },
    async reconcile(key): Promise<Result> {
      const [of, first = '', second = ''] = key.split('/');
      if (of === CLASS) await makeClass(client);
      if (of === 'claim') await provide(client, { resource: PERSISTENT_VOLUME_CLAIMS, namespace: first, name: second });
      if (of === 'volume') await remove(client, { resource: PERSISTENT_VOLUMES, namespace: '', name: first });
      return undefined;
    },
  };
}

async function makeClass(client: Clientset): Promise<void> {
  const classes = await client.list(STORAGE_CLASSES);
  const made = newStorageClass(classes);
  if (classes.some((one) => nameOf(one) === nameOf(made))) return;
  await client.create(STORAGE_CLASSES, made).catch(ignore('AlreadyExists'));
}

async function provide(client: Clientset, ref: RefOf<PersistentVolumeClaim>): Promise<void> {
  const claim = await client.get(ref);
  if (claim === undefined || !wantsVolume(claim)) return;
  const storageClass = await client.get({ resource: STORAGE_CLASSES, namespace: '', name: classOf(claim) });
  if (!isOurs(storageClass)) return;
  await client.create(PERSISTENT_VOLUMES, newVolume(claim, storageClass)).catch(ignore('AlreadyExists'));
}

const isOurs = (storageClass: StorageClass | undefined): storageClass is StorageClass =>
  storageClass?.provisioner === PROVISIONER;

async function remove(client: Clientset, ref: RefOf<PersistentVolume>): Promise<void> {
  const volume = await client.get(ref);
  if (volume === undefined || !isLeftOver(volume)) return;
  await client.delete(ref, { uid: uidOf(volume) }).catch(ignoreNotFound);
}
