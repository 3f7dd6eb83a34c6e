import type { JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf } from '#lib/machinery/meta.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#lib/machinery/validation/object-meta.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import type { ResourceDefinition } from '../resource.ts';
import { ensureMetadata } from './meta.ts';

const METADATA = FieldPath.of('metadata');
const FINALIZERS = METADATA.child('finalizers');
/** Finalizers that need no domain prefix. */
const STANDARD: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
/** Groups that upstream validates outside of core. They accept any qualified name as a finalizer. */
const PLAIN: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
]);

/** The metadata checks that a kind's own update validation repeats. */
type Again = 'object' | 'update' | 'both' | 'nothing';

const OF_GROUP: Readonly<Record<string, Again>> = {
  'admissionregistration.k8s.io': 'object',
  'apiextensions.k8s.io': 'update',
  autoscaling: 'update',
  'coordination.k8s.io': 'update',
  'discovery.k8s.io': 'object',
  'events.k8s.io': 'update',
  'flowcontrol.apiserver.k8s.io': 'object',
  policy: 'nothing',
  'scheduling.k8s.io': 'update',
};
const OF_KIND: Readonly<Record<string, Again>> = {
  '/events': 'nothing',
  '/limitranges': 'object',
  '/podtemplates': 'update',
  '/replicationcontrollers': 'update',
  '/resourcequotas': 'update',
  '/services': 'update',
  'apps/daemonsets': 'update',
  'apps/deployments': 'update',
  'apps/replicasets': 'update',
  'apps/statefulsets': 'update',
  'batch/cronjobs': 'update',
  'networking.k8s.io/networkpolicies': 'update',
  'networking.k8s.io/servicecidrs': 'update',
  'resource.k8s.io/resourceslices': 'update',
  'storage.k8s.io/csidrivers': 'update',
  'storage.k8s.io/csinodes': 'object',
  'storage.k8s.io/volumeattachments': 'object',
};

/** The fields of a resource that these checks need. */
type Checked = Pick<ResourceDefinition, 'custom' | 'resource' | 'namespaced' | 'strategy'>;

const againOf = ({ group, resource }: ResourceDefinition['resource']): Again =>
  OF_KIND[`${group}/${resource}`] ?? OF_GROUP[group] ?? 'both';

const hasCoreFinalizers = ({ custom, resource }: Checked): boolean =>
  !custom && !PLAIN.has(resource.group) && againOf(resource) !== 'nothing';

/** Upstream's core ValidateFinalizerName: a finalizer is standard or has a domain prefix. */
function finalizerErrors(object: JsonObject): FieldError[] {
  return finalizersOf(object).flatMap((name, i) =>
    name.includes('/') || STANDARD.has(name)
      ? []
      : [invalid(FINALIZERS.index(i), name, 'name is neither a standard finalizer name nor is it fully qualified')],
  );
}

/** Metadata errors of a new object. */
export function createdMetadata(definition: Checked, object: JsonObject): FieldError[] {
  const { strategy, namespaced } = definition;
  const validateName = strategy.validateName ?? (checksMetadata(definition) ? nameIsDNSSubdomain : pathSegmentName);
  return [
    ...validateObjectMeta(ensureMetadata(object), { namespaced, validateName, path: METADATA }),
    ...(hasCoreFinalizers(definition) ? finalizerErrors(object) : []),
  ];
}

/** Whether the kind's own validation checks metadata. Otherwise metadata is checked only after everything else is valid. */
export const checksMetadata = ({ custom, resource }: Checked): boolean => custom || againOf(resource) !== 'nothing';

/** Metadata errors of an update: the registry's own errors and those that the kind's validation repeats. */
export function* updatedMetadata(definition: Checked, object: JsonObject, old: JsonObject): Steps<FieldError[]> {
  const { namespaced, custom, resource } = definition;
  const [meta, before] = [ensureMetadata(object), ensureMetadata(old)];
  const all = validateObjectMeta(meta, { namespaced, validateName: pathSegmentName, path: METADATA });
  yield;
  const change = validateObjectMetaUpdate(meta, before, METADATA);
  if (custom) return [...all, ...change, ...change];
  const again = againOf(resource);
  const finalizers = hasCoreFinalizers(definition) ? finalizerErrors(object) : [];
  return [
    ...all,
    ...change,
    ...(again === 'object' || again === 'both' ? [...all, ...finalizers] : []),
    ...(again === 'update' || again === 'both' ? [...change, ...finalizers] : []),
  ];
}
