import { typedObject } from '#lib/api/typed.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import {
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  PODS,
  VOLUME_ATTRIBUTES_CLASSES,
} from '#lib/api/types/resources.ts';
import type { VolumeAttributesClass } from '#lib/api/types/storage.v1.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import type { GroupVersionResource, ResourceOf } from '#lib/machinery/schema.ts';
import {
  classesOfClaim,
  classesOfVolume,
  FINALIZERS,
  podUsesClaim,
  volumeIsUsed,
  wanted,
  withFinalizer,
  withoutFinalizer,
} from './decide.ts';

interface Protected<T extends JsonObject = JsonObject> {
  readonly name: string;
  readonly resource: ResourceOf<T>;
  readonly finalizer: string;
  /** Keys (`namespace/name`) of the protected objects that a change of another object concerns. */
  related(change: ObjectChange): readonly string[];
  isUsed(object: T, client: Clientset): Promise<boolean>;
}

const is = ({ group, resource }: ObjectChange, one: GroupVersionResource): boolean =>
  group === one.group && resource === one.resource;

const CLAIMS: Protected<PersistentVolumeClaim> = {
  name: 'persistentvolumeclaim-protection',
  resource: PERSISTENT_VOLUME_CLAIMS,
  finalizer: FINALIZERS.claims,
  related: (change) =>
    is(change, PODS) && (change.mentions('"persistentVolumeClaim"') || change.mentions('"ephemeral"'))
      ? podClaims(change.object()).map(({ name }) => `${change.namespace}/${name}`)
      : [],
  async isUsed(claim, client) {
    const pods = await client.list(PODS, { namespace: namespaceOf(claim) });
    return pods.some((pod) => podUsesClaim(pod, claim));
  },
};

const VOLUMES: Protected<PersistentVolume> = {
  name: 'persistentvolume-protection',
  resource: PERSISTENT_VOLUMES,
  finalizer: FINALIZERS.volumes,
  related: () => [],
  isUsed: async (volume) => volumeIsUsed(volume),
};

const CLASSES: Protected<VolumeAttributesClass> = {
  name: 'volumeattributesclass-protection',
  resource: VOLUME_ATTRIBUTES_CLASSES,
  finalizer: FINALIZERS.classes,
  related: (change) =>
    change.mentions('olumeAttributesClassName"') ? classesIn(change).map((name) => `/${name}`) : [],
  async isUsed(object, client) {
    const ofVolumes = (await client.list(PERSISTENT_VOLUMES)).flatMap(classesOfVolume);
    const ofClaims = (await client.list(PERSISTENT_VOLUME_CLAIMS)).flatMap(classesOfClaim);
    return [...ofVolumes, ...ofClaims].includes(nameOf(object));
  },
};

function classesIn(change: ObjectChange): string[] {
  if (is(change, PERSISTENT_VOLUME_CLAIMS))
    return classesOfClaim(typedObject(PERSISTENT_VOLUME_CLAIMS, change.object()));
  return is(change, PERSISTENT_VOLUMES) ? classesOfVolume(typedObject(PERSISTENT_VOLUMES, change.object())) : [];
}

const PROTECTED: readonly Protected[] = [CLAIMS, VOLUMES, CLASSES];

/**
 * Removes the finalizers of unused claims, volumes and attribute classes: upstream's pvc, pv and vac protection controllers.
 * Users are read live, so an object stays if a new user appears meanwhile.
 */
export const storageProtectionControllers = (client: Client): Reconciler[] =>
  PROTECTED.map((one) => protection(clientset(client), one));

function protection(client: Clientset, one: Protected): Reconciler {
  return {
    name: one.name,
    keys(change) {
      if (!is(change, one.resource)) return one.related(change);
      return change.type === 'DELETED' ? [] : [`${change.namespace}/${change.name}`];
    },
    async reconcile(key) {
      const ref: ObjectRef = { resource: one.resource, ...splitKey(key) };
      await settle(client, one, ref).catch(ignoreNotFound);
      return undefined;
    },
  };
}

async function settle(client: Clientset, { finalizer, isUsed }: Protected, ref: ObjectRef): Promise<void> {
  const object = await client.get(ref);
  const action = object === undefined ? undefined : wanted(object, finalizer);
  if (object === undefined || action === undefined) return;
  if (action === 'add') await client.update(ref, withFinalizer(object, finalizer));
  else if (!(await isUsed(object, client))) await client.update(ref, withoutFinalizer(object, finalizer));
}
