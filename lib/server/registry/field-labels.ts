import { badRequest, type StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';

/** The labels that field selectors of one version may use: upstream's AddFieldLabelConversionFunc. */
export interface FieldLabels {
  /** Maps each label to its field. */
  readonly labels: Readonly<Record<string, string>>;
  refuse(label: string): StatusError;
}

const NAME = 'metadata.name';
const NAMESPACE = 'metadata.namespace';

const same = (...labels: string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(labels.map((label) => [label, label]));

const namespaced = (...labels: string[]): Readonly<Record<string, string>> => same(NAME, NAMESPACE, ...labels);

const INVOLVED = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** Keyed by `group/kind`. Kinds not listed here support only name and namespace. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/Pod': {
    ...namespaced('spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'),
    ...same('spec.hostNetwork', 'status.phase', 'status.podIP', 'status.podIPs', 'status.nominatedNodeName'),
    'spec.host': 'spec.nodeName',
  },
  '/Node': same(NAME, 'spec.unschedulable'),
  '/ReplicationController': namespaced('status.replicas'),
  '/Event': {
    ...namespaced(...INVOLVED.map((part) => `involvedObject.${part}`)),
    ...same('reason', 'reportingComponent', 'source', 'type'),
  },
  'events.k8s.io/Event': {
    ...namespaced('reason', 'type'),
    ...Object.fromEntries(INVOLVED.map((part) => [`regarding.${part}`, `involvedObject.${part}`])),
    reportingController: 'reportingComponent',
  },
  '/Namespace': same(NAME, 'status.phase'),
  '/Secret': namespaced('type'),
  '/Service': namespaced('spec.clusterIP', 'spec.type'),
  'batch/Job': namespaced('status.successful'),
  'certificates.k8s.io/CertificateSigningRequest': same(NAME, 'spec.signerName'),
  'resource.k8s.io/ResourceSlice': same(NAME, 'spec.driver', 'spec.nodeName'),
};

/** The field selector labels of a built-in kind in one version. */
export function fieldLabelsOf({ group, version, kind }: GroupVersionKind): FieldLabels {
  const key = `${group}/${kind}`;
  const labels = LABELS[key];
  if (labels === undefined) return GENERIC;
  if (key === 'batch/Job') {
    return { labels, refuse: (label) => badRequest(`field label ${quote(label)} not supported for Job`) };
  }
  const of = key === 'resource.k8s.io/ResourceSlice' ? ` for ${group}/${version}, Kind=${kind}` : '';
  return { labels, refuse: (label) => badRequest(`field label not supported${of}: ${label}`) };
}

const GENERIC: FieldLabels = {
  labels: namespaced(),
  refuse: (label) =>
    badRequest(`${quote(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`),
};
