import { quote } from '../go.ts';
import { arrayAt, equal, isObject, type Json, type JsonObject, objectAt, ownField, stringAt } from '../json-value.ts';
import { parseApiVersion } from '../schema.ts';
import { type FieldError, type FieldPath, forbidden, invalid, required, tooLong } from './field.ts';
import { validateLabels } from './labels.ts';
import { validateManagedFields } from './managed-fields.ts';
import { byteLength, IMMUTABLE, NEGATIVE, stringEntries } from './messages.ts';
import { isQualifiedName, nameIsDNSLabel, type ValidateName } from './names.ts';

/** The maximum total size of an object's annotations: 256 KiB of keys and values. */
const MAX_ANNOTATIONS = 262_144;

/** The validation rules for a resource's metadata: its scope and its name format. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly validateName: ValidateName;
  readonly path: FieldPath;
}

/** Upstream's ValidateObjectMeta for an object's `metadata`. */
export function validateObjectMeta(
  metadata: JsonObject,
  { namespaced, validateName, path }: ObjectMetaRules,
): FieldError[] {
  const generation = integerAt(metadata, 'generation');
  return [
    ...nameErrors(metadata, validateName, path),
    ...namespaceErrors(metadata, namespaced, path.child('namespace')),
    ...(generation < 0 ? [invalid(path.child('generation'), generation, NEGATIVE)] : []),
    ...commonErrors(metadata, path, true),
  ];
}

function commonErrors(metadata: JsonObject, path: FieldPath, withFinalizers: boolean): FieldError[] {
  return [
    ...validateLabels(objectAt(metadata, 'labels'), path.child('labels')),
    ...validateAnnotations(objectAt(metadata, 'annotations'), path.child('annotations')),
    ...validateOwnerReferences(arrayAt(metadata, 'ownerReferences'), path.child('ownerReferences')),
    ...(withFinalizers ? validateFinalizers(stringsAt(metadata, 'finalizers'), path.child('finalizers')) : []),
    ...validateManagedFields(arrayAt(metadata, 'managedFields'), path.child('managedFields')),
  ];
}

function nameErrors(metadata: JsonObject, validateName: ValidateName, path: FieldPath): FieldError[] {
  const name = stringAt(metadata, 'name') ?? '';
  const generateName = stringAt(metadata, 'generateName') ?? '';
  const errors: FieldError[] = [];
  if (generateName !== '') {
    const messages = validateName(generateName, true);
    errors.push(...messages.map((message) => invalid(path.child('generateName'), generateName, message)));
  }
  if (name === '') errors.push(required(path.child('name'), 'name or generateName is required'));
  else errors.push(...validateName(name, false).map((message) => invalid(path.child('name'), name, message)));
  return errors;
}

function namespaceErrors(metadata: JsonObject, namespaced: boolean, path: FieldPath): FieldError[] {
  const namespace = stringAt(metadata, 'namespace') ?? '';
  if (!namespaced) return namespace === '' ? [] : [forbidden(path, 'not allowed on this type')];
  if (namespace === '') return [required(path)];
  return nameIsDNSLabel(namespace, false).map((message) => invalid(path, namespace, message));
}

/** Upstream's ValidateAnnotations: the errors of the keys and the total size. */
export function validateAnnotations(annotations: JsonObject | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of stringEntries(annotations)) {
    size += byteLength(key) + byteLength(value);
    errors.push(...isQualifiedName(key.toLowerCase()).map((message) => invalid(path, key, message)));
  }
  return size > MAX_ANNOTATIONS ? [...errors, tooLong(path, MAX_ANNOTATIONS)] : errors;
}

/** Upstream's ValidateOwnerReferences: checks each reference, and that at most one is a controller. */
export function validateOwnerReferences(references: readonly Json[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of references.filter(isObject)) {
    errors.push(...ownerReferenceErrors(reference, path));
    if (ownField(reference, 'controller') !== true) continue;
    const name = `${stringAt(reference, 'kind') ?? ''}/${stringAt(reference, 'name') ?? ''}`;
    if (controller === undefined) controller = name;
    else errors.push(invalid(path, references, twoControllers(controller, name)));
  }
  return errors;
}

const twoControllers = (first: string, second: string): string =>
  `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;

function ownerReferenceErrors(reference: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = stringAt(reference, 'apiVersion') ?? '';
  if ((parseApiVersion(apiVersion)?.version ?? '') === '') {
    errors.push(invalid(path.child('apiVersion'), apiVersion, 'version must not be empty'));
  }
  for (const field of ['kind', 'name', 'uid']) {
    if ((stringAt(reference, field) ?? '') === '') errors.push(invalid(path.child(field), '', 'must not be empty'));
  }
  if (apiVersion === 'v1' && stringAt(reference, 'kind') === 'Event') {
    errors.push(invalid(path, reference, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

/** Upstream's ValidateFinalizers. */
export function validateFinalizers(finalizers: readonly string[], path: FieldPath): FieldError[] {
  const errors = finalizers.flatMap((finalizer) => validateFinalizerName(finalizer, path));
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return errors;
  return [...errors, invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')];
}

/** Upstream's ValidateFinalizerName: a qualified name. */
export function validateFinalizerName(finalizer: string, path: FieldPath): FieldError[] {
  return isQualifiedName(finalizer).map((message) => invalid(path, finalizer, message));
}

const IMMUTABLE_FIELDS = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** Upstream's ValidateObjectMetaUpdate: whether `metadata` may replace `old`. Does not check finalizer names again. */
export function validateObjectMetaUpdate(metadata: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (isSet(ownField(old, 'deletionTimestamp'))) errors.push(...newFinalizerErrors(metadata, old, path));
  if ((stringAt(metadata, 'resourceVersion') ?? '') === '') {
    errors.push(invalid(path.child('resourceVersion'), '', 'must be specified for an update'));
  }
  const generation = integerAt(metadata, 'generation');
  if (generation < integerAt(old, 'generation')) {
    errors.push(invalid(path.child('generation'), generation, 'must not be decremented'));
  }
  for (const field of IMMUTABLE_FIELDS) errors.push(...validateImmutableField(metadata, old, field, path));
  return [...errors, ...commonErrors(metadata, path, false)];
}

function newFinalizerErrors(metadata: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const before = new Set(stringsAt(old, 'finalizers'));
  const added = [...new Set(stringsAt(metadata, 'finalizers'))].filter((name) => !before.has(name)).sort();
  if (added.length === 0) return [];
  const list = `[]string{${added.map(quote).join(', ')}}`;
  const text = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [forbidden(path.child('finalizers'), text)];
}

function validateImmutableField(metadata: JsonObject, old: JsonObject, field: string, path: FieldPath): FieldError[] {
  const value = unset(ownField(metadata, field));
  if (equal(value, unset(ownField(old, field)))) return [];
  const shown = field === 'name' || field === 'namespace' || field === 'uid' ? (value ?? '') : (value ?? null);
  return [invalid(path.child(field), shown, IMMUTABLE)];
}

const isSet = (value: Json | undefined): value is Json => value !== undefined && value !== null && value !== '';
const unset = (value: Json | undefined): Json | undefined => (isSet(value) ? value : undefined);

function integerAt(object: JsonObject, field: string): number | bigint {
  const value = ownField(object, field);
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

function stringsAt(object: JsonObject, field: string): string[] {
  return arrayAt(object, field).filter((item) => typeof item === 'string');
}
