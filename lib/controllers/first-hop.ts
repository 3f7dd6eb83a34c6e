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
  for (const kind of MEMORY[reconciler.name]?.kinds ?? []) {
    for (const object of await list(kind, namespace)) reconciler.keys(asAdded(kind, object));
  }
}

/** The keys of a change to a reconciler that began just now. `before` is the state that it replaced, where that is known. */
export async function keysOf(
  reconciler: Reconciler,
  change: ObjectChange,
  { before, list }: { readonly before: ObjectChange | undefined; readonly list: Lister },
): Promise<readonly string[]> {
  const memory = MEMORY[reconciler.name];
  const isKnown = [...(memory?.kinds ?? []), ...(memory?.also ?? [])].some(
    ({ group, resource }) => group === change.group && resource === change.resource,
  );
  if (isKnown || memory?.everything === true) await remind(reconciler, change.namespace, list);
  const lost = before === undefined ? [] : reconciler.keys(before);
  return [...new Set([...lost, ...reconciler.keys(change)])];
}

function asAdded({ group, resource }: GroupVersionResource, object: JsonObject): ObjectChange {
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
