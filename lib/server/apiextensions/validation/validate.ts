import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { APPROVED_ANNOTATION, approvalState, isProtectedCommunityGroup } from '../approval.ts';
import { type Definition, parseDefinition } from '../definition.ts';
import { validateNames } from './names.ts';
import { CREATE, updateOptions } from './options.ts';
import { sizeError } from './size.ts';
import { specForm, validateSpec } from './spec.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

/** Upstream's `ValidateCustomResourceDefinition` without the metadata, which the registry validates. Does not check CEL. */
export function* validateDefinition(crd: JsonObject): Steps<FieldError[]> {
  const definition = parseDefinition(crd);
  yield;
  const tooLarge = sizeError(definition, SPEC);
  if (tooLarge !== undefined) return [tooLarge];
  return [
    ...(yield* validateSpec(specForm(crd, definition), SPEC, CREATE)),
    ...statusErrors(definition),
    ...approvalErrors(crd, undefined),
    ...preserveErrors(definition.preserveUnknownFields, false),
  ];
}

/** Upstream's `ValidateCustomResourceDefinitionUpdate`. */
export function* validateDefinitionUpdate(crd: JsonObject, oldCrd: JsonObject): Steps<FieldError[]> {
  const definition = parseDefinition(crd);
  yield;
  const tooLarge = sizeError(definition, SPEC);
  if (tooLarge !== undefined) return [tooLarge];
  const old = parseDefinition(oldCrd);
  yield;
  const options = yield* updateOptions(crd, oldCrd, old);
  const spec = yield* validateSpec(specForm(crd, definition), SPEC, options);
  return [
    ...spec,
    ...immutableErrors(definition, old, options.requireImmutableNames),
    ...statusErrors(definition),
    ...approvalErrors(crd, oldCrd),
    ...preserveErrors(definition.preserveUnknownFields, old.preserveUnknownFields),
  ];
}

/** Upstream's `ValidateUpdateCustomResourceDefinitionStatus`. */
export function validateDefinitionStatus(crd: JsonObject): FieldError[] {
  return validateNames(parseDefinition(crd).acceptedNames, STATUS.child('acceptedNames'));
}

function statusErrors(definition: Definition): FieldError[] {
  const names = validateNames(definition.acceptedNames, STATUS.child('acceptedNames'));
  return [...names, ...storedVersionErrors(definition, STATUS.child('storedVersions'))];
}

function storedVersionErrors({ storedVersions, versions }: Definition, path: FieldPath): FieldError[] {
  if (storedVersions.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const left = new Set(storedVersions);
  // Reports a repeated name only once.
  const errors = versions
    .filter(({ name, storage }) => !left.delete(name) && storage)
    .map(({ name }) => invalid(path, storedVersions, `must have the storage version ${name}`));
  for (const [i, name] of storedVersions.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    const text = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(path.index(i), name, text));
  }
  return errors;
}

function immutableErrors(definition: Definition, old: Definition, established: boolean): FieldError[] {
  const fields = [
    ...(established
      ? [
          ['scope', definition.scope, old.scope],
          ['names.kind', definition.names.kind, old.names.kind],
        ]
      : []),
    ['group', definition.group, old.group],
    ['names.plural', definition.names.plural, old.names.plural],
  ];
  return fields
    .filter(([, value, before]) => value !== before)
    .map(([field = '', value]) => invalid(SPEC.child(field), value, 'field is immutable'));
}

function approvalErrors(crd: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (!isProtectedCommunityGroup(stringAt(objectAt(crd, 'spec'), 'group') ?? '')) return [];
  const { state, reason } = approvalState(crd);
  if (old !== undefined && approvalState(old).state === state) return [];
  const path = FieldPath.of('metadata', 'annotations').key(APPROVED_ANNOTATION);
  if (state === 'Missing') return [required(path, reason)];
  if (state !== 'Invalid') return [];
  const annotations = objectAt(objectAt(crd, 'metadata'), 'annotations');
  return [invalid(path, stringAt(annotations, APPROVED_ANNOTATION) ?? '', reason)];
}

function preserveErrors(preserve: boolean, before: boolean): FieldError[] {
  if (!preserve || before) return [];
  const text =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid(SPEC.child('preserveUnknownFields'), true, text)];
}
