import { podClaims } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { splitKey } from '#lib/client/split-key.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import {
  classesOf,
  FINALIZERS,
  podUsesClaim,
  volumeIsUsed,
  wanted,
  withFinalizer,
  withoutFinalizer,
} from './decide.ts';

const core = (resource: string): GroupVersionResource => ({ group: '', version: 'v1', resource });
const CLAIMS = core('persistentvolumeclaims');
const VOLUMES = core('persistentvolumes');
const PODS = core('pods');
const CLASSES: GroupVersionResource = { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattributesclasses' };

interface Protected {
  readonly name: string;
  readonly resource: GroupVersionResource;
  readonly finalizer: string;
  /** Keys (`namespace/name`) of the protected objects that a change of something else concerns. */
  related(change: ObjectChange): readonly string[];
  isUsed(object: JsonObject, client: Client): Promise<boolean>;
}

const is = ({ group, resource }: ObjectChange, one: GroupVersionResource): boolean =>
  group === one.group && resource === one.resource;

const PROTECTED: readonly Protected[] = [
  {
    name: 'persistentvolumeclaim-protection',
    resource: CLAIMS,
    finalizer: FINALIZERS.claims,
    related: (change) =>
      is(change, PODS) && (change.mentions('"persistentVolumeClaim"') || change.mentions('"ephemeral"'))
        ? podClaims(change.object()).map(({ name }) => `${change.namespace}/${name}`)
        : [],
    async isUsed(claim, client) {
      const pods = await client.list(PODS, { namespace: namespaceOf(claim) });
      return pods.some((pod) => podUsesClaim(pod, claim));
    },
  },
  {
    name: 'persistentvolume-protection',
    resource: VOLUMES,
    finalizer: FINALIZERS.volumes,
    related: () => [],
    isUsed: async (volume) => volumeIsUsed(volume),
  },
  {
    name: 'volumeattributesclass-protection',
    resource: CLASSES,
    finalizer: FINALIZERS.classes,
    related: (change) =>
      (is(change, CLAIMS) || is(change, VOLUMES)) && change.mentions('olumeAttributesClassName"')
        ? classesOf(change.object()).map((name) => `/${name}`)
        : [],
    async isUsed(object, client) {
      const users = [...(await client.list(VOLUMES)), ...(await client.list(CLAIMS))];
      return users.some((user) => classesOf(user).includes(nameOf(object)));
    },
  },
];

/**
 * Lets claims, volumes and attribute classes go that nothing uses any more: upstream's pvc, pv and vac protection controllers.
 * Users are read live, so that what begins to use an object before it is let go keeps it.
 */
export const storageProtectionControllers = (client: Client): Reconciler[] =>
  PROTECTED.map((one) => protection(client, one));

function protection(client: Client, one: Protected): Reconciler {
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

async function settle(client: Client, { finalizer, isUsed }: Protected, ref: ObjectRef): Promise<void> {
  const object = await client.get(ref);
  const action = object === undefined ? undefined : wanted(object, finalizer);
  if (object === undefined || action === undefined) return;
  if (action === 'add') await client.update(ref, withFinalizer(object, finalizer));
  else if (!(await isUsed(object, client))) await client.update(ref, withoutFinalizer(object, finalizer));
}
