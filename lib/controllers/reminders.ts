import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { controllerOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { nodeOf } from './pod-garbage-collector/decide.ts';
import { CHANGING } from './resource-quota/decide.ts';

/** One object, or all objects of a kind in one namespace, or in all namespaces if `namespace` is empty. */
export interface Need {
  readonly kind: GroupVersionResource;
  readonly namespace: string;
  readonly name?: string;
}

type Needs = (change: ObjectChange) => readonly Need[];

const of =
  (group: string, version: string) =>
  (resource: string): GroupVersionResource => ({ group, version, resource });
const core = of('', 'v1');
const apps = of('apps', 'v1');
const batch = of('batch', 'v1');
const networking = of('networking.k8s.io', 'v1');
const [PODS, SERVICES, NODES] = [core('pods'), core('services'), core('nodes')];
const [DAEMONS, SETS, STATEFUL] = [apps('daemonsets'), apps('replicasets'), apps('statefulsets')];
const [DEPLOYMENTS, REVISIONS, CONTROLLERS] = [
  apps('deployments'),
  apps('controllerrevisions'),
  core('replicationcontrollers'),
];
const [JOBS, CRON_JOBS] = [batch('jobs'), batch('cronjobs')];
const DEFINITIONS = of('apiextensions.k8s.io', 'v1')('customresourcedefinitions');
const [RANGES, ADDRESSES] = [networking('servicecidrs'), networking('ipaddresses')];
const BUDGETS = of('policy', 'v1')('poddisruptionbudgets');
const SLICES = of('discovery.k8s.io', 'v1')('endpointslices');
const CLAIMS = of('resource.k8s.io', 'v1')('resourceclaims');
const API_SERVICES = of('apiregistration.k8s.io', 'v1')('apiservices');
const VOLUMES = [
  core('persistentvolumeclaims'),
  core('persistentvolumes'),
  of('storage.k8s.io', 'v1')('storageclasses'),
];

const VOLUME_CLAIMS = core('persistentvolumeclaims');
const ATTACHMENTS = of('storage.k8s.io', 'v1')('volumeattachments');

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
  'volumeattachments',
]);

const allIn = (namespace: string, kinds: readonly GroupVersionResource[]): readonly Need[] =>
  kinds.map((kind) => ({ kind, namespace: CLUSTER_SCOPED.has(kind.resource) ? '' : namespace }));

const beside =
  (...kinds: readonly GroupVersionResource[]): Needs =>
  ({ namespace }) =>
    allIn(namespace, kinds);

const everywhere =
  (kind: GroupVersionResource): Needs =>
  () => [{ kind, namespace: '' }];

/** The objects that may select an object without a controller. */
const unlessControlled =
  (kind: GroupVersionResource): Needs =>
  (change) =>
    controllerOf(change.object()) === undefined ? allIn(change.namespace, [kind]) : [];

const named = (kind: GroupVersionResource, namespace: string, name: string): readonly Need[] => [
  { kind, namespace, name },
];

/** The controller if it is of that kind. */
const itsController =
  (kind: GroupVersionResource, kindName: string): Needs =>
  ({ object, namespace }) => {
    const controller = controllerOf(object());
    return controller?.kind === kindName ? named(kind, namespace, controller.name) : [];
  };

/** The node of an existing pod. */
const itsNode: Needs = ({ type, object }) =>
  type === 'DELETED' || nodeOf(object()) === '' ? [] : named(NODES, '', nodeOf(object()));

/** The claims that a pod's volumes reference. */
const itsClaims: Needs = ({ object, namespace }) =>
  podClaims(object()).map(({ name }) => ({ kind: VOLUME_CLAIMS, namespace, name }));

const whenDeleted =
  (needs: Needs): Needs =>
  (change) =>
    change.type === 'DELETED' ? needs(change) : [];

const whenAdded =
  (...needs: readonly Needs[]): Needs =>
  (change) =>
    change.type === 'ADDED' ? needs.flatMap((need) => need(change)) : [];

const ANY = '*';

/**
 * The objects that a reconciler needs to map a change to keys, by reconciler name and changed resource. A reconciler that is not listed
 * needs none.
 */
const FOR_CHANGE: Readonly<Record<string, Readonly<Record<string, Needs>>>> = {
  apiextensions: { 'apiextensions.k8s.io/customresourcedefinitions': beside(DEFINITIONS) },
  attachdetach: { '/pods': itsClaims, '/nodes': whenAdded(everywhere(VOLUME_CLAIMS), everywhere(PODS)) },
  autoregister: { 'apiextensions.k8s.io/customresourcedefinitions': beside(DEFINITIONS, API_SERVICES) },
  'daemonset-controller': {
    '/pods': unlessControlled(DAEMONS),
    'apps/controllerrevisions': unlessControlled(DAEMONS),
    '/nodes': everywhere(DAEMONS),
  },
  'deployment-controller': {
    'apps/replicasets': unlessControlled(DEPLOYMENTS),
    '/pods': whenDeleted(itsController(SETS, 'ReplicaSet')),
  },
  'device-taint-eviction': { 'resource.k8s.io/resourceslices': everywhere(CLAIMS) },
  disruption: { '/pods': beside(BUDGETS) },
  endpoint: {
    '/pods': beside(SERVICES),
    '/endpoints': whenDeleted(({ namespace, name }) => named(SERVICES, namespace, name)),
  },
  endpointslice: { '/pods': beside(SERVICES) },
  endpointslicemirroring: { '/endpoints': ({ namespace, name }) => named(SERVICES, namespace, name) },
  'job-controller': { '/pods': unlessControlled(JOBS) },
  'job-orphan-pods': { '/pods': itsController(JOBS, 'Job') },
  namespace: {
    [ANY]: ({ type, namespace }) =>
      type === 'MODIFIED' || namespace === '' ? [] : named(core('namespaces'), '', namespace),
  },
  'node-lifecycle': { '/pods': itsNode },
  'persistentvolume-controller': {
    '/persistentvolumeclaims': beside(...VOLUMES),
    '/persistentvolumes': beside(...VOLUMES),
    'storage.k8s.io/storageclasses': beside(...VOLUMES),
  },
  'pod-garbage-collector': {
    '/pods': itsNode,
  },
  'replicaset-controller': { '/pods': unlessControlled(SETS) },
  'replication-controller': { '/pods': unlessControlled(CONTROLLERS) },
  'resource-claim': { 'resource.k8s.io/resourceclaims': beside(PODS) },
  'resource-quota': {
    [ANY]: ({ type, resource, namespace }) =>
      namespace === '' || type === 'ADDED' || (type === 'MODIFIED' && !CHANGING.includes(resource))
        ? []
        : allIn(namespace, [core('resourcequotas')]),
  },
  'service-cidr-controller': {
    'networking.k8s.io/servicecidrs': beside(RANGES),
    'networking.k8s.io/ipaddresses': whenDeleted(beside(RANGES)),
  },
  'service-repair': {
    '/servicenodeports': everywhere(SERVICES),
    'networking.k8s.io/ipaddresses': everywhere(SERVICES),
    'networking.k8s.io/servicecidrs': whenDeleted(everywhere(SERVICES)),
  },
  'statefulset-controller': {
    '/pods': unlessControlled(STATEFUL),
    'apps/controllerrevisions': unlessControlled(STATEFUL),
  },
  'taint-eviction': { '/pods': itsNode },
};

/** The objects that a reconciler needs before it receives a change. */
export function needsForChange(reconciler: string, change: ObjectChange): readonly Need[] {
  const needs = FOR_CHANGE[reconciler];
  return (needs?.[`${change.group}/${change.resource}`] ?? needs?.[ANY])?.(change) ?? [];
}

/**
 * The kinds that a reconciler remembers and whose changes concern it. `also` lists other kinds whose changes concern it, or is
 * `everything`.
 */
interface Memory {
  readonly kinds: readonly GroupVersionResource[];
  readonly also?: readonly GroupVersionResource[] | 'everything';
}

const REMEMBERED: Readonly<Record<string, Memory>> = {
  apiextensions: { kinds: [DEFINITIONS] },
  attachdetach: { kinds: [VOLUME_CLAIMS, ATTACHMENTS, NODES], also: [PODS, core('persistentvolumes')] },
  autoregister: { kinds: [DEFINITIONS, API_SERVICES] },
  'cronjob-controller': { kinds: [CRON_JOBS, JOBS] },
  'daemonset-controller': { kinds: [DAEMONS, PODS, REVISIONS, NODES] },
  'deployment-controller': { kinds: [DEPLOYMENTS, SETS] },
  'device-taint-eviction': { kinds: [CLAIMS], also: [PODS] },
  disruption: { kinds: [BUDGETS, PODS] },
  endpoint: { kinds: [SERVICES, PODS, core('endpoints')] },
  endpointslice: { kinds: [SERVICES, PODS, SLICES, NODES] },
  endpointslicemirroring: { kinds: [SERVICES, core('endpoints'), SLICES] },
  'job-controller': { kinds: [JOBS, PODS] },
  namespace: { kinds: [core('namespaces')], also: 'everything' },
  'node-lifecycle': { kinds: [NODES], also: [PODS] },
  'persistentvolume-controller': { kinds: VOLUMES },
  'pod-garbage-collector': { kinds: [NODES, PODS] },
  'replicaset-controller': { kinds: [SETS, PODS] },
  'replication-controller': { kinds: [CONTROLLERS, PODS] },
  'resource-claim': { kinds: [PODS], also: [CLAIMS] },
  'resource-quota': { kinds: [core('resourcequotas')], also: 'everything' },
  'service-cidr-controller': { kinds: [RANGES, ADDRESSES] },
  'service-repair': { kinds: [SERVICES, ADDRESSES, RANGES] },
  'statefulset-controller': { kinds: [STATEFUL, PODS, REVISIONS] },
  'taint-eviction': { kinds: [NODES], also: [PODS] },
};

/** The objects that a reconciler needs to find the keys of a change whose content is no longer known. */
export function needsAround(reconciler: string, change: ObjectChange): readonly Need[] {
  const { kinds = [], also = [] } = REMEMBERED[reconciler] ?? {};
  const isHeard =
    also === 'everything' ||
    [...kinds, ...also].some(({ group, resource }) => group === change.group && resource === change.resource);
  return isHeard ? allIn(change.namespace, kinds) : [];
}

/** The kinds whose objects in the key's namespace a reconciler needs to work on the key. */
const FOR_KEY: Readonly<Record<string, readonly GroupVersionResource[]>> = {
  apiextensions: [DEFINITIONS],
  autoregister: [DEFINITIONS, API_SERVICES],
  'event-ttl': [core('events')],
  'persistentvolume-controller': VOLUMES,
  'service-repair': [SERVICES, ADDRESSES, RANGES],
};

/** The objects that a reconciler needs to work on a key. */
export const needsForKey = (reconciler: string, key: string): readonly Need[] =>
  allIn(/^([a-z0-9-]+)\/[^/]+$/.exec(key)?.[1] ?? '', FOR_KEY[reconciler] ?? []);

/** A kind of owners and the kinds of their dependents. */
export interface Owning {
  readonly owners: GroupVersionResource;
  readonly kind: string;
  readonly dependents: readonly GroupVersionResource[];
}

/** Reconcilers whose keys name an owner, and which need its dependents. */
export const OWNING: Readonly<Record<string, Owning>> = {
  'cronjob-controller': { owners: CRON_JOBS, kind: 'CronJob', dependents: [JOBS] },
  'daemonset-controller': { owners: DAEMONS, kind: 'DaemonSet', dependents: [PODS, REVISIONS] },
  'deployment-controller': { owners: DEPLOYMENTS, kind: 'Deployment', dependents: [SETS] },
  'job-controller': { owners: JOBS, kind: 'Job', dependents: [PODS] },
  'replicaset-controller': { owners: SETS, kind: 'ReplicaSet', dependents: [PODS] },
  'replication-controller': { owners: CONTROLLERS, kind: 'ReplicationController', dependents: [PODS] },
  'statefulset-controller': { owners: STATEFUL, kind: 'StatefulSet', dependents: [PODS, REVISIONS] },
};
