import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import type { Request } from '#lib/controller/requests.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, ownerReferencesOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** Under this name changes reach the function of the built-in reconcilers: which keys they concern is found there. */
export const BUILT_IN = 'built-in';

/** What nobody among them follows, by resource: these are written all the time. */
const UNHEARD = new Set(['events', 'leases']);

/**
 * The first hop of a change: one message for all built-in reconcilers, of its own for each change, since what is created again was
 * deleted before. Pure.
 */
export const builtInHop = {
  name: BUILT_IN,
  requests({ group, resource, namespace, name, object }: ObjectChange): readonly Request[] {
    if (UNHEARD.has(resource)) return [];
    return [{ namespace: '', name: `${group}/${resource}/${namespace}/${name}@${resourceVersionOf(object())}` }];
  },
};

const of =
  (group: string, version: string) =>
  (resource: string): GroupVersionResource => ({ group, version, resource });
const core = of('', 'v1');
const apps = of('apps', 'v1');
const PODS = core('pods');
const SERVICES = core('services');
const REVISIONS = apps('controllerrevisions');
const SLICES = of('discovery.k8s.io', 'v1')('endpointslices');
const JOBS = of('batch', 'v1')('jobs');
const DEFINITIONS = of('apiextensions.k8s.io', 'v1')('customresourcedefinitions');
const RANGES = of('networking.k8s.io', 'v1')('servicecidrs');
const ADDRESSES = of('networking.k8s.io', 'v1')('ipaddresses');

interface Memory {
  /** What a reconciler remembers of earlier changes, which a process that began just now must list. */
  readonly kinds: readonly GroupVersionResource[];
  /** Kinds whose changes concern it by what it remembers of others. */
  readonly also?: readonly GroupVersionResource[];
  /** Changes of every kind concern it by what it remembers. */
  readonly everything?: true;
  /** Who names an owner that has gone concerns it. */
  readonly owned?: true;
}

/** By a reconciler's name; who is not here remembers nothing. */
const MEMORY: Readonly<Record<string, Memory>> = {
  apiextensions: { kinds: [DEFINITIONS] },
  autoregister: { kinds: [DEFINITIONS, of('apiregistration.k8s.io', 'v1')('apiservices')] },
  'cronjob-controller': { kinds: [of('batch', 'v1')('cronjobs'), JOBS] },
  'daemonset-controller': { kinds: [apps('daemonsets'), PODS, REVISIONS, core('nodes')] },
  'deployment-controller': { kinds: [apps('deployments'), apps('replicasets')] },
  disruption: { kinds: [of('policy', 'v1')('poddisruptionbudgets'), PODS] },
  endpoint: { kinds: [SERVICES, PODS, core('endpoints')] },
  endpointslice: { kinds: [SERVICES, PODS, SLICES, core('nodes')] },
  endpointslicemirroring: { kinds: [SERVICES, core('endpoints'), SLICES] },
  'event-ttl': { kinds: [core('events')] },
  'garbage-collector': { kinds: [], owned: true },
  'job-controller': { kinds: [JOBS, PODS] },
  namespace: { kinds: [core('namespaces')], everything: true },
  'node-lifecycle': { kinds: [core('nodes')], also: [PODS] },
  'persistentvolume-controller': {
    kinds: [core('persistentvolumeclaims'), core('persistentvolumes'), of('storage.k8s.io', 'v1')('storageclasses')],
  },
  'pod-garbage-collector': { kinds: [core('nodes'), PODS] },
  'replicaset-controller': { kinds: [apps('replicasets'), PODS] },
  'replication-controller': { kinds: [core('replicationcontrollers'), PODS] },
  'resource-quota': { kinds: [core('resourcequotas')], everything: true },
  'service-cidr-controller': { kinds: [RANGES, ADDRESSES] },
  'service-repair': { kinds: [SERVICES, ADDRESSES, RANGES] },
  'taint-eviction': { kinds: [core('nodes')], also: [PODS] },
  'statefulset-controller': { kinds: [apps('statefulsets'), PODS, REVISIONS] },
};

/** Kinds that have no namespace. */
const CLUSTER_SCOPED = new Set([
  'namespaces',
  'nodes',
  'servicecidrs',
  'ipaddresses',
  'customresourcedefinitions',
  'apiservices',
  'persistentvolumes',
  'storageclasses',
]);

/** Lists each kind once for all who ask; for one hop or one key. */
export type Lister = (kind: GroupVersionResource, namespace: string) => Promise<readonly JsonObject[]>;

export function listOnce(client: Client): Lister {
  const listed = new Map<string, Promise<readonly JsonObject[]>>();
  return (kind, namespace) => {
    const where = CLUSTER_SCOPED.has(kind.resource) ? '' : namespace;
    const key = `${kind.group}/${kind.resource}/${where}`;
    const list = listed.get(key) ?? client.list(kind, { namespace: where });
    listed.set(key, list);
    return list;
  };
}

/** Tells a reconciler that began just now what it would remember; in one namespace, or everywhere where that is empty. */
export async function remind(reconciler: Reconciler, namespace: string, list: Lister): Promise<void> {
  await told(reconciler, { namespace, list });
}

/** The same but of one object; resolves with the keys of all. */
async function told(
  reconciler: Reconciler,
  { namespace, list, but }: { readonly namespace: string; readonly list: Lister; readonly but?: ObjectChange },
): Promise<string[]> {
  const keys: string[] = [];
  for (const kind of MEMORY[reconciler.name]?.kinds ?? []) {
    for (const object of await list(kind, namespace)) {
      const change = asAdded(kind, object);
      if (but === undefined || !isSame(change, but)) keys.push(...reconciler.keys(change));
    }
  }
  return keys;
}

const isSame = (one: ObjectChange, other: ObjectChange): boolean =>
  one.name === other.name &&
  one.namespace === other.namespace &&
  one.resource === other.resource &&
  one.group === other.group;

function isRemembered({ name }: Reconciler, change: ObjectChange): boolean {
  const { kinds = [], also = [], everything = false } = MEMORY[name] ?? {};
  return (
    everything ||
    [...kinds, ...also].some(({ group, resource }) => group === change.group && resource === change.resource)
  );
}

/**
 * The keys of a change to a reconciler that began just now. `before` is the state that it replaced; where there was none, the
 * reconciler is not told of the object before it is told of the change, which would be none otherwise.
 */
export async function keysOf(
  reconciler: Reconciler,
  change: ObjectChange,
  { before, list }: { readonly before: ObjectChange | undefined; readonly list: Lister },
): Promise<readonly string[]> {
  if (isRemembered(reconciler, change)) await told(reconciler, { namespace: change.namespace, list, but: change });
  const lost = before === undefined ? [] : reconciler.keys(before);
  return [...new Set([...lost, ...reconciler.keys(change)])];
}

/**
 * The keys that a change may have, of which nobody knows any more what it was: those of all that it may have concerned, so as
 * the world is now. `owned` lists what has owners in a namespace.
 */
export async function keysAround(
  reconciler: Reconciler,
  change: ObjectChange,
  { list, owned }: { readonly list: Lister; owned(namespace: string): Promise<readonly ObjectChange[]> },
): Promise<readonly string[]> {
  const { namespace } = change;
  const keys = isRemembered(reconciler, change) ? await told(reconciler, { namespace, list, but: change }) : [];
  const isOwners = MEMORY[reconciler.name]?.owned === true && change.type === 'DELETED';
  for (const one of isOwners ? await owned(namespace) : [change]) keys.push(...reconciler.keys(one));
  return [...new Set(keys)];
}

/** An object of which only the place is known: it has gone. */
export function asGone(place: Pick<ObjectChange, 'group' | 'resource' | 'namespace' | 'name'>): ObjectChange {
  const { namespace, name } = place;
  const object: JsonObject = { metadata: { ...(namespace === '' ? {} : { namespace }), name } };
  return { ...place, type: 'DELETED', ownerReferences: [], mentions: () => false, object: () => object };
}

/** An object as if it had just been made. */
export function asAdded(
  { group, resource }: Pick<ObjectChange, 'group' | 'resource'>,
  object: JsonObject,
): ObjectChange {
  let text: string | undefined;
  return {
    type: 'ADDED',
    group,
    resource,
    namespace: namespaceOf(object),
    name: nameOf(object),
    ownerReferences: ownerReferencesOf(object),
    mentions: (part) => (text ??= JSON.stringify(object)).includes(part),
    object: () => object,
  };
}
