import type { Binding, Pod } from '#lib/api/types/core.v1.ts';
import { LEASES, PODS } from '#lib/api/types/resources.ts';
import { updatePodCondition } from '#lib/helpers/component-helpers/pod/update-pod-condition.ts';
import { badRequest, conflict, unclassified } from '#lib/machinery/errors.ts';
import { FENCING_TOKEN } from '#lib/machinery/fencing-token.ts';
import { quote } from '#lib/machinery/go.ts';
import { setField } from '#lib/machinery/json-value.ts';
import {
  annotationsOf,
  isDeleting,
  labelsOf,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
} from '#lib/machinery/meta.ts';
import { aggregate, FieldPath, notSupported, required } from '#lib/machinery/validation/field.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import type { Handler } from '../filters/filter.ts';
import { type CreatePorts, type Creation, createEndpoint, type KindOf, SUCCESS } from './create-endpoint.ts';
import { checkFencing } from './fencing.ts';
import { change, definitionOf } from './stored.ts';

const BINDING: KindOf<Binding> = { group: '', version: 'v1', kind: 'Binding' };
const TARGET = FieldPath.of('target');
const SCHEDULED = { type: 'PodScheduled', status: 'True' };

/**
 * Assigns a pod to a node: `pods/binding`, and `bindings`, which names the pod only in the body. A caller that names a lease must hold it.
 */
export function bindingEndpoint(ports: CreatePorts & { builtIn: BuiltInResources }): Handler {
  const pods = definitionOf(ports.builtIn, PODS);
  const leases = definitionOf(ports.builtIn, LEASES);
  return createEndpoint(ports, {
    kind: BINDING,
    namespaced: true,
    keepsSystemFields: true,
    async act(creation) {
      const { context, op, object } = creation;
      const name = nameOf(object);
      if (context.info.name !== '' && context.info.name !== name)
        throw badRequest('name in URL does not match name in Binding object');
      checkTarget(object);
      await creation.admit();
      await checkFencing(leases, creation);
      await change(pods, op, name, (pod) => assign(pod, creation));
      return SUCCESS;
    },
  });
}

function checkTarget({ target }: Binding): void {
  const { kind = '', name = '' } = target;
  const errors = [
    ...(['', 'Node'].includes(kind) ? [] : [notSupported(TARGET.child('kind'), kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required(TARGET.child('name'))] : []),
  ];
  if (errors.length > 0) throw unclassified(aggregate(errors));
}

function assign(pod: Pod, { op, object: binding }: Creation<Binding>): void {
  checkPreconditions(pod, binding, op.dryRun);
  const name = nameOf(pod);
  const { spec } = pod;
  const refuse = (why: string): Error => conflict({ ...PODS, resource: 'pods/binding' }, name, why);
  if (isDeleting(pod)) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  const node = spec.nodeName ?? '';
  if (node !== '') throw refuse(`pod ${name} is already assigned to node ${quote(node)}`);
  if ((spec.schedulingGates ?? []).length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  spec.nodeName = binding.target.name ?? '';
  delete pod.status.nominatedNodeName;
  const { [FENCING_TOKEN]: _, ...annotations } = annotationsOf(binding);
  merge(pod, 'annotations', annotations);
  merge(pod, 'labels', labelsOf(binding));
  pod.status.conditions = updatePodCondition(pod.status.conditions, SCHEDULED, op.now);
}

function merge({ metadata }: Pod, field: 'annotations' | 'labels', added: Record<string, string>): void {
  for (const [key, value] of Object.entries(added)) setField((metadata[field] ??= {}), key, value);
}

/** Throws if the pod does not have the uid and resource version that the binding names. */
function checkPreconditions(pod: Pod, binding: Binding, dryRun: boolean): void {
  const found =
    mismatch('UID', uidOf(binding), uidOf(pod)) ??
    mismatch('ResourceVersion', resourceVersionOf(binding), resourceVersionOf(pod));
  if (found === undefined) return;
  const key = `${dryRun ? '' : '/registry'}/pods/${namespaceOf(pod)}/${nameOf(pod)}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${found}`;
  throw conflict(PODS, nameOf(pod), why);
}

const mismatch = (what: string, expected: string, actual: string): string | undefined =>
  expected === '' || expected === actual
    ? undefined
    : `${what} in precondition: ${expected}, ${what} in object meta: ${actual}`;
