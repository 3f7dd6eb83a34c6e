import { type JSONSchemaProps, schemaHas } from '#lib/api/schema/json-schema-props.ts';
import { type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import {
  type Definition,
  type SharedField,
  sharedFields,
  someSchema,
  type Version,
  type VersionFields,
} from '../definition.ts';
import { enumErrors, validateConversion } from './conversion.ts';
import { internalVersions } from './internal-versions.ts';
import { invalidLabel, requireNames, validateNames } from './names.ts';
import type { ValidationOptions } from './options.ts';
import { selectableErrors, validateFields, validateVersion } from './version.ts';

/** The spec in upstream's internal form. */
interface SpecForm {
  readonly definition: Definition;
  /** Fields with the same value in all versions, which are checked once under the spec. */
  readonly shared: ReadonlySet<SharedField>;
  /** Whether a list of versions exists, even an empty one. */
  readonly hasVersions: boolean;
}

/** Returns the spec of a definition in the form that is validated. */
export const specForm = (crd: JsonObject, definition: Definition): SpecForm => ({
  definition,
  shared: sharedFields(crd),
  hasVersions: Array.isArray(ownField(objectAt(crd, 'spec'), 'versions')),
});

/** Upstream's `validateCustomResourceDefinitionSpec`, in its order. */
export function* validateSpec(form: SpecForm, path: FieldPath, given: ValidationOptions): Steps<FieldError[]> {
  const { definition } = form;
  const options = { ...given, requireStructuralSchema: requiresStructural(definition, given) };
  yield;
  const errors = [
    ...groupErrors(definition.group, path.child('group')),
    ...enumErrors(definition.scope, ['Cluster', 'Namespaced'], path.child('scope')),
    ...missingSchemas(definition, path, options),
    ...defaultsErrors(definition, path),
    ...(yield* versionsErrors(form, path, options)),
    ...requireNames(definition.names, path.child('names')),
    ...validateNames(definition.names, path.child('names')),
    ...(yield* sharedErrors(form, path, options)),
  ];
  const { conversion, preserveUnknownFields } = definition;
  if (conversion === undefined) return errors;
  const at = path.child('conversion');
  if (conversion.strategy !== 'None' && preserveUnknownFields) {
    const text = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalid(at.child('strategy'), conversion.strategy, text));
  }
  return [...errors, ...validateConversion(conversion, at, options)];
}

function groupErrors(group: string, path: FieldPath): FieldError[] {
  if (group === '') return [required(path)];
  const messages = isDNS1123Subdomain(group);
  if (messages.length > 0) return [invalid(path, group, messages.join(','))];
  return group.includes('.') ? [] : [invalid(path, group, 'should be a domain with at least one dot')];
}

const hasExtensions = (s: JSONSchemaProps): boolean =>
  s.embeddedResource === true ||
  s.preserveUnknownFields !== undefined ||
  s.intOrString === true ||
  s.listMapKeys !== undefined ||
  s.listType !== undefined ||
  s.validations !== undefined;
const hasDefault = (s: JSONSchemaProps): boolean => s.default !== undefined;

function requiresStructural(definition: Definition, options: ValidationOptions): boolean {
  if (!definition.preserveUnknownFields || options.requireStructuralSchema) return true;
  return someSchema(definition, (s) => schemaHas(s, (inner) => hasDefault(inner) || hasExtensions(inner)));
}

function missingSchemas(
  { versions, preserveUnknownFields }: Definition,
  path: FieldPath,
  options: ValidationOptions,
): FieldError[] {
  if (!options.requireOpenAPISchema && preserveUnknownFields) return [];
  return versions.flatMap(({ schema, served }, i) => {
    if (schema?.openAPIV3Schema !== undefined) return [];
    const at = path.child('versions').index(i).child('schema', 'openAPIV3Schema');
    if (options.requireOpenAPISchema) return [required(at)];
    return served ? [required(at, 'because otherwise all fields are pruned')] : [];
  });
}

function defaultsErrors(definition: Definition, path: FieldPath): FieldError[] {
  if (!definition.preserveUnknownFields || !someSchema(definition, (s) => schemaHas(s, hasDefault))) return [];
  return [invalid(path.child('preserveUnknownFields'), true, 'must be false in order to use defaults in the schema')];
}

function* versionsErrors(
  { definition, shared, hasVersions }: SpecForm,
  path: FieldPath,
  options: ValidationOptions,
): Steps<FieldError[]> {
  const { versions } = definition;
  const at = path.child('versions');
  const errors: FieldError[] = [];
  for (const [i, version] of versions.entries()) {
    const statusEnabled = version.subresources?.status === true;
    const found = yield* validateVersion(without(version, shared), { path: at.index(i), options, statusEnabled });
    for (const error of found) errors.push(error);
  }
  const show = (): unknown =>
    hasVersions ? internalVersions(versions.map((version) => without(version, shared))) : null;
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalid(at, show(), 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalid(at, show(), 'must have exactly one version marked as storage version'));
  }
  const [first] = versions;
  const name = first?.name ?? '';
  return name === '' ? errors : [...errors, ...invalidLabel(name, path.child('version'))];
}

/** Returns the version without the fields that all versions share. */
function without(version: Version, shared: ReadonlySet<SharedField>): Version {
  const { schema, subresources, ...rest } = version;
  return {
    ...rest,
    ...(schema === undefined || shared.has('schema') ? {} : { schema }),
    ...(subresources === undefined || shared.has('subresources') ? {} : { subresources }),
    additionalPrinterColumns: shared.has('additionalPrinterColumns') ? [] : version.additionalPrinterColumns,
    selectableFields: shared.has('selectableFields') ? [] : version.selectableFields,
  };
}

function* sharedErrors(
  { definition, shared }: SpecForm,
  path: FieldPath,
  options: ValidationOptions,
): Steps<FieldError[]> {
  const [first] = definition.versions;
  if (first === undefined) return [];
  const fields: VersionFields = {
    ...(first.schema !== undefined && shared.has('schema') ? { schema: first.schema } : {}),
    ...(first.subresources !== undefined && shared.has('subresources') ? { subresources: first.subresources } : {}),
    additionalPrinterColumns: shared.has('additionalPrinterColumns') ? first.additionalPrinterColumns : [],
    selectableFields: [],
  };
  const statusEnabled = definition.versions.some(({ subresources }) => subresources?.status === true);
  const context = { path, options, statusEnabled, version: first.name, schemaPath: path.child('validation') };
  const errors = yield* validateFields(fields, context);
  const { selectableFields } = first;
  if (!shared.has('selectableFields') || selectableFields.length === 0) return errors;
  if (fields.schema === undefined) {
    const text = 'may only be set when validations.schema is included';
    return [...errors, invalid(path.child('selectableFields'), '', text)];
  }
  return [
    ...errors,
    ...selectableErrors({ ...fields, selectableFields }, path, options.tooManySelectableFields.has('')),
  ];
}
