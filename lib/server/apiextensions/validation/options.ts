import { pruneDefaults } from '#lib/api/schema/defaults-validation.ts';
import { type JSONSchemaProps, parseProps, schemaHas } from '#lib/api/schema/json-schema-props.ts';
import { unsupportedField } from '#lib/api/schema/structural.ts';
import { validateStructural } from '#lib/api/schema/structural-validation.ts';
import { typedObject } from '#lib/api/typed.ts';
import { type CustomResourceDefinitionVersion, type SelectableField } from '#lib/api/types/apiextensions.v1.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '#lib/api/types/resources.ts';
import { clone, equal, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { conditionTrue } from '../conditions.ts';
import { type Definition, sharedFields, someSchema } from '../definition.ts';
import { isNonAtomicSet } from './atomic-set.ts';
import { isCABundle } from './ca-bundle.ts';
import { listTypeErrors } from './list-types.ts';
import { OPENAPI_TYPES } from './openapi-types.ts';
import { hasAcceptedReviewVersion } from './review-versions.ts';

/** Upstream's `validationOptions`: an update may keep values that an older server accepted. */
export interface ValidationOptions {
  readonly requireRecognizedConversionReviewVersion: boolean;
  readonly requireImmutableNames: boolean;
  readonly requireOpenAPISchema: boolean;
  readonly requireValidPropertyType: boolean;
  readonly requireStructuralSchema: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSetType: boolean;
  readonly requireMapListKeysMapSetValidation: boolean;
  readonly allowInvalidCABundle: boolean;
  /** Versions that already had too many selectable fields. '' for the fields common to all versions. */
  readonly tooManySelectableFields: ReadonlySet<string>;
  /** Versions with an unchanged schema, whose rule costs are not checked again. */
  readonly unchangedSchemas: ReadonlySet<string>;
}

/** The options of a creation: every check applies. */
export const CREATE: ValidationOptions = {
  requireRecognizedConversionReviewVersion: true,
  requireImmutableNames: false,
  requireOpenAPISchema: true,
  requireValidPropertyType: true,
  requireStructuralSchema: true,
  requirePrunedDefaults: true,
  requireAtomicSetType: true,
  requireMapListKeysMapSetValidation: true,
  allowInvalidCABundle: true,
  tooManySelectableFields: new Set(),
  unchangedSchemas: new Set(),
};

/** Pauses between steps that visit all schemas. */
export function* updateOptions(crd: JsonObject, oldCrd: JsonObject, old: Definition): Steps<ValidationOptions> {
  const established = conditionTrue(oldCrd, 'Established');
  const reviewVersions = old.conversion?.reviewVersions ?? [];
  const requireValidPropertyType = !someSchema(old, (s) => schemaHas(s, hasInvalidType));
  yield;
  const requireStructuralSchema = !someSchema(old, isNonStructural);
  yield;
  const requirePrunedDefaults = !someSchema(old, hasDefaults) || !hasUnprunedDefaults(oldCrd);
  yield;
  const requireAtomicSetType = !someSchema(old, (s) => schemaHas(s, isNonAtomicSet));
  yield;
  const requireMapListKeysMapSetValidation = !someSchema(old, (s) => schemaHas(s, hasInvalidListType));
  yield;
  return {
    requireRecognizedConversionReviewVersion: reviewVersions.length === 0 || hasAcceptedReviewVersion(reviewVersions),
    requireImmutableNames: established,
    requireOpenAPISchema: old.versions.every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    requireValidPropertyType,
    requireStructuralSchema,
    requirePrunedDefaults,
    requireAtomicSetType,
    requireMapListKeysMapSetValidation,
    allowInvalidCABundle: !established || hasInvalidCABundle(old),
    tooManySelectableFields: unchangedTooMany(crd, oldCrd),
    unchangedSchemas: unchangedSchemas(crd, oldCrd),
  };
}

const versionsOf = (crd: JsonObject): readonly CustomResourceDefinitionVersion[] =>
  typedObject(CUSTOM_RESOURCE_DEFINITIONS, crd).spec.versions ?? [];

const hasInvalidType = (s: JSONSchemaProps): boolean => s.type !== undefined && !OPENAPI_TYPES.includes(s.type);
const hasInvalidListType = (s: JSONSchemaProps): boolean => listTypeErrors(s, FieldPath.of('')).length > 0;

function isNonStructural(s: JSONSchemaProps): boolean {
  return unsupportedField(s) !== undefined || validateStructural(FieldPath.of(''), s).length > 0;
}

const hasDefaults = (s: JSONSchemaProps): boolean => schemaHas(s, (part) => part.default !== undefined);

function hasUnprunedDefaults(crd: JsonObject): boolean {
  return versionsOf(crd).some(({ schema }) => {
    const props = schema?.openAPIV3Schema && parseProps(clone(schema.openAPIV3Schema));
    return props !== undefined && !isNonStructural(props) && pruneDefaults(props);
  });
}

function hasInvalidCABundle(old: Definition): boolean {
  const bundle = old.conversion?.clientConfig?.caBundle ?? '';
  return bundle !== '' && !isCABundle(bundle);
}

/** The maximum number of selectable fields of a version. */
export const MAX_SELECTABLE_FIELDS = 8;

function unchangedTooMany(crd: JsonObject, oldCrd: JsonObject): ReadonlySet<string> {
  const fieldsOf = (object: JsonObject): Map<string, SelectableField[]> =>
    new Map(versionsOf(object).map(({ name, selectableFields = [] }) => [name, selectableFields]));
  const old = fieldsOf(oldCrd);
  const names = [...fieldsOf(crd)].filter(([name, fields]) => {
    const before = old.get(name) ?? [];
    return before.length > MAX_SELECTABLE_FIELDS && equal(before, fields);
  });
  return new Set([...names.map(([name]) => name), ...(names.length === old.size && names.length > 0 ? [''] : [])]);
}

/**
 * Returns the versions with an unchanged schema. A schema that all versions of the old definition share is upstream's schema of every
 * version, including a new one.
 */
function unchangedSchemas(crd: JsonObject, oldCrd: JsonObject): Set<string> {
  const old = schemasOf(oldCrd);
  const [common] = sharedFields(oldCrd).has('schema') ? old.values() : [];
  const unchanged = [...schemasOf(crd)].filter(
    ([name, schema]) => (common !== undefined || old.has(name)) && equal(common ?? old.get(name), schema),
  );
  return new Set(unchanged.map(([name]) => name));
}

function schemasOf(crd: JsonObject): Map<string, JsonObject | undefined> {
  return new Map(versionsOf(crd).map(({ name, schema }) => [name, schema]));
}
