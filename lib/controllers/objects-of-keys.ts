import type { ObjectRef } from '#lib/client/client.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { apiVersion } from '#lib/machinery/schema.ts';

/** The object that a key of a built-in reconciler names. */
export interface KeyedObject extends ObjectRef {
  readonly kind: string;
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}

const kind = (group: string, resource: string, name: string, version = 'v1'): Kind => ({
  group,
  version,
  resource,
  kind: name,
});

const API_SERVICE = kind('apiregistration.k8s.io', 'apiservices', 'APIService');
const NAMESPACE = kind('', 'namespaces', 'Namespace');
const NODE = kind('', 'nodes', 'Node');
const POD = kind('', 'pods', 'Pod');
const SERVICE = kind('', 'services', 'Service');
const CLAIM = kind('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
const VOLUME = kind('', 'persistentvolumes', 'PersistentVolume');
const RESOURCE_CLAIM = kind('resource.k8s.io', 'resourceclaims', 'ResourceClaim');
const SECRET = kind('', 'secrets', 'Secret');
const JOB = kind('batch', 'jobs', 'Job');
const MIGRATION = kind('storagemigration.k8s.io', 'storageversionmigrations', 'StorageVersionMigration', 'v1beta1');
const REQUEST = kind('certificates.k8s.io', 'certificatesigningrequests', 'CertificateSigningRequest');

/** Reconcilers whose keys are names, prefixed with a namespace if the kind has one. */
const BY_NAME: Readonly<Record<string, Kind>> = {
  apiextensions: kind('apiextensions.k8s.io', 'customresourcedefinitions', 'CustomResourceDefinition'),
  'apiservice-status-available-controller': API_SERVICE,
  autoregister: API_SERVICE,
  'cronjob-controller': kind('batch', 'cronjobs', 'CronJob'),
  csrapproving: REQUEST,
  csrcleaner: REQUEST,
  csrsigning: REQUEST,
  'daemonset-controller': kind('apps', 'daemonsets', 'DaemonSet'),
  'deployment-controller': kind('apps', 'deployments', 'Deployment'),
  'device-taint-eviction': RESOURCE_CLAIM,
  endpoint: SERVICE,
  endpointslice: SERVICE,
  endpointslicemirroring: kind('', 'endpoints', 'Endpoints'),
  'ephemeral-volume': POD,
  'horizontal-pod-autoscaler': kind('autoscaling', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', 'v2'),
  'job-controller': JOB,
  'job-orphan-pods': POD,
  'legacy-service-account-token-cleaner': SECRET,
  namespace: NAMESPACE,
  'persistentvolume-expander': CLAIM,
  'persistentvolume-protection': VOLUME,
  'persistentvolumeclaim-protection': CLAIM,
  'replicaset-controller': kind('apps', 'replicasets', 'ReplicaSet'),
  'replication-controller': kind('', 'replicationcontrollers', 'ReplicationController'),
  'root-ca-cert-publisher': NAMESPACE,
  serviceaccount: NAMESPACE,
  'service-cidr-controller': kind('networking.k8s.io', 'servicecidrs', 'ServiceCIDR'),
  'simulated-kubelet': POD,
  'simulated-node': NODE,
  'storage-version-migrator': MIGRATION,
  'statefulset-controller': kind('apps', 'statefulsets', 'StatefulSet'),
  'taint-eviction': NODE,
  'ttl-after-finished': JOB,
  'validatingadmissionpolicy-status': kind(
    'admissionregistration.k8s.io',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
  ),
  'volumeattributesclass-protection': kind('storage.k8s.io', 'volumeattributesclasses', 'VolumeAttributesClass'),
};

const FLOW = 'flowcontrol.apiserver.k8s.io';

/** Reconcilers whose keys are a word for a kind, followed by the name of an object of that kind. */
const BY_WORD: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  attachdetach: { node: NODE, volume: VOLUME },
  disruption: { budget: kind('policy', 'poddisruptionbudgets', 'PodDisruptionBudget'), mark: POD },
  'flow-control': {
    flowschemas: kind(FLOW, 'flowschemas', 'FlowSchema'),
    prioritylevelconfigurations: kind(FLOW, 'prioritylevelconfigurations', 'PriorityLevelConfiguration'),
  },
  'node-lifecycle': { node: NODE },
  'persistentvolume-controller': { claim: CLAIM, volume: VOLUME },
  'pod-garbage-collector': { node: NODE, pod: POD },
  'resource-claim': { claim: RESOURCE_CLAIM, pod: POD },
  'resource-quota': { count: NAMESPACE, publish: NAMESPACE },
  'simulated-volumes': { claim: CLAIM, volume: VOLUME },
};

const CLUSTER_SCOPED: ReadonlySet<Kind> = new Set([NAMESPACE, NODE, VOLUME, REQUEST, MIGRATION]);

/** Whether all or some keys of a reconciler name objects. */
export const isAboutObjects = (reconciler: string): boolean =>
  Object.hasOwn(BY_NAME, reconciler) || Object.hasOwn(BY_WORD, reconciler);

/** The object that the key names. Undefined if it names no single object. */
export function objectOfKey(reconciler: string, key: string): KeyedObject | undefined {
  const names = key.split('/');
  const words = Object.hasOwn(BY_WORD, reconciler) ? BY_WORD[reconciler] : undefined;
  const word = words === undefined ? '' : (names.shift() ?? '');
  const of = words ?? BY_NAME;
  const at = words === undefined ? reconciler : word;
  const found = Object.hasOwn(of, at) ? of[at] : undefined;
  if (found === undefined || names.length > 2 || names.some((name) => name === '')) return undefined;
  if (CLUSTER_SCOPED.has(found) && names.length > 1) return undefined;
  const { kind: name, ...resource } = found;
  const [first = '', second] = names;
  if (first === '') return undefined;
  return { kind: name, resource, namespace: second === undefined ? '' : first, name: second ?? first };
}

/** The object that the key names, as an object reference. */
export function referenceOfKey(reconciler: string, key: string) {
  const found = objectOfKey(reconciler, key);
  if (found === undefined) return undefined;
  const { kind: name, resource, ...place } = found;
  return { apiVersion: apiVersion(resource), kind: name, ...place };
}

/** Whether the change is one of the key's own object. */
export function isOwnChange({ group, resource, namespace, name }: ObjectChange, object: KeyedObject): boolean {
  return (
    object.name === name &&
    object.namespace === namespace &&
    object.resource.resource === resource &&
    object.resource.group === group
  );
}
