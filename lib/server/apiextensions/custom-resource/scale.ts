import { badRequest, internalError, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { clone, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { type FieldError, invalid } from '#lib/machinery/validation/field.ts';
import type { ScaleMapping } from '#lib/server/registry/resource.ts';
import { UNSET_REPLICAS } from '#lib/server/registry/scale.ts';
import type { Scale } from '../definition.ts';
import { type Nested, nestedInteger, nestedText, pathOf, setNested } from './nested.ts';

/** Returns errors unless the replicas in the spec are absent or an integer in range. */
export const scaleSpecErrors = (object: JsonObject, { specReplicasPath }: Scale): FieldError[] =>
  replicasErrors(object, specReplicasPath);

/** Like `scaleSpecErrors`, for the replicas in the status. Also checks that the selector is a string. */
export function scaleStatusErrors(object: JsonObject, { statusReplicasPath, labelSelectorPath }: Scale): FieldError[] {
  const errors = replicasErrors(object, statusReplicasPath);
  if (labelSelectorPath === undefined) return errors;
  const selector = nestedText(object, pathOf(labelSelectorPath));
  return 'problem' in selector ? [...errors, invalid(labelSelectorPath, '', selector.problem)] : errors;
}

function replicasErrors(object: JsonObject, path: string): FieldError[] {
  const replicas = nestedInteger(object, pathOf(path));
  if ('problem' in replicas) return [invalid(path, 0, replicas.problem)];
  const value = replicas.value ?? 0;
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > MAX_INT32 ? [invalid(path, value, `should be less than or equal to ${MAX_INT32}`)] : [];
}

/** Returns the scale subresource of a custom resource: upstream's `ScaleREST`. */
export function scaleMapping(scale: Scale): ScaleMapping {
  return { get: (hub, unset) => scaleOf(hub, scale, unset), put: (hub, desired) => withReplicas(hub, desired, scale) };
}

function scaleOf(object: JsonObject, scale: Scale, unset?: number): JsonObject {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  const replicas = valueOf(nestedInteger(object, pathOf(specReplicasPath))) ?? unset;
  const current = valueOf(nestedInteger(object, pathOf(statusReplicasPath))) ?? 0;
  const selector = labelSelectorPath === '' ? '' : (valueOf(nestedText(object, pathOf(labelSelectorPath))) ?? '');
  if (replicas === undefined) {
    throw internalError(`the spec replicas field ${quote(specReplicasPath)} does not exist`);
  }
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: scaleMetadata(object),
    spec: Number(replicas) === 0 ? {} : { replicas },
    status: { replicas: current, ...(selector === '' ? {} : { selector }) },
  };
}

/** Returns the value. Throws upstream's plain error, a 500 with that text, if the stored object is invalid. */
function valueOf<T>(nested: Nested<T>): T | undefined {
  if ('problem' in nested) throw new StatusError(undefined, nested.problem);
  return nested.value;
}

const COPIED = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'];

function scaleMetadata(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const copied: JsonObject = {};
  for (const field of COPIED) {
    const value = ownField(metadata, field);
    if (value !== undefined) copied[field] = value;
  }
  return copied;
}

function withReplicas(hub: JsonObject, desired: JsonObject, { specReplicasPath }: Scale): JsonObject {
  const object = clone(hub);
  const replicas = ownField(objectAt(desired, 'spec'), 'replicas') ?? 0;
  if (replicas === UNSET_REPLICAS) {
    throw badRequest(`the spec replicas field ${quote(specReplicasPath)} cannot be empty`);
  }
  const problem = setNested(object, pathOf(specReplicasPath), replicas);
  if (problem !== undefined) throw badRequest(problem);
  const version = stringAt(objectAt(desired, 'metadata'), 'resourceVersion') ?? '';
  const metadata = objectAt(object, 'metadata');
  if (version !== '' && metadata !== undefined) metadata['resourceVersion'] = version;
  return object;
}
