/** A resource, identified by its storage group. */
export interface StoredResource {
  readonly group: string;
  readonly resource: string;
}

/** The kinds that decide about other requests. They share one log, so that one query proves that all of them are current. */
const CONTROL: Readonly<Record<string, readonly string[]>> = {
  '': ['namespaces', 'serviceaccounts', 'limitranges', 'resourcequotas'],
  'rbac.authorization.k8s.io': ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  'admissionregistration.k8s.io': [
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ],
  'apiregistration.k8s.io': ['apiservices'],
  'flowcontrol.apiserver.k8s.io': ['flowschemas', 'prioritylevelconfigurations'],
  'scheduling.k8s.io': ['priorityclasses'],
  'node.k8s.io': ['runtimeclasses'],
  'storage.k8s.io': ['storageclasses'],
  'networking.k8s.io': ['ingressclasses'],
  'apiextensions.k8s.io': ['customresourcedefinitions'],
};

const control = new Set(
  Object.entries(CONTROL).flatMap(([group, all]) => all.map((resource) => `${group}/${resource}`)),
);

/** Groups that are views of another group's storage. */
const VIEWS: ReadonlyMap<string, string> = new Map([['events.k8s.io/events', '/events']]);

/** The name of the sequence of the kinds that decide about other requests, such as roles and webhooks. */
export const controlSequence = (cluster: string): string => `${cluster}/control`;

/** The name of the sequence that holds only Leases. */
export const leaseSequence = (cluster: string): string =>
  sequenceOf(cluster, { group: 'coordination.k8s.io', resource: 'leases' });

/**
 * The name of the sequence that holds a resource, stable across releases: `main/control`, `main//pods`, `main/apps/deployments`. Resource
 * versions are comparable within one sequence.
 */
export function sequenceOf(cluster: string, { group, resource }: StoredResource): string {
  const name = `${group}/${resource}`;
  return control.has(name) ? controlSequence(cluster) : `${cluster}/${VIEWS.get(name) ?? name}`;
}
