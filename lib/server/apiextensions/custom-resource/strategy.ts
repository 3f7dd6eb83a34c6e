import { Correlation } from '#lib/api/schema/correlation.ts';
import { validateListTypes } from '#lib/api/schema/list-type.ts';
import { validateEmbedded } from '#lib/api/schema/object-meta.ts';
import { SchemaValidator } from '#lib/api/schema/schema-validator.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { traitsOf } from '#lib/api/schema/traits.ts';
import {
  clone,
  equal,
  type Json,
  type JsonObject,
  objectAt,
  ownField,
  setField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { type FieldError, invalid } from '#lib/machinery/validation/field.ts';
import type { KindStrategy, UpdateStrategy } from '#lib/server/registry/strategy.ts';
import type { RuleMetrics } from '../cel/rule-metrics.ts';
import { RuleValidator, type Validation } from '../cel/rule-validator.ts';
import type { Subresources } from '../definition.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { scaleSpecErrors, scaleStatusErrors } from './scale.ts';

/** The parts of a definition that the strategy of one version needs. */
export interface StrategySource {
  readonly kind: GroupVersionKind;
  readonly schema: () => Structural | undefined;
  readonly subresources: Subresources;
  readonly selectableFields: (object: JsonObject) => Record<string, string>;
  /** Receives the durations of rules. Default none. */
  readonly ruleMetrics?: RuleMetrics | undefined;
}

/** Returns upstream's `customResourceStrategy`. Compiles nothing before the first object. */
export function customResourceStrategy(source: StrategySource): KindStrategy {
  const { subresources } = source;
  const validator = lazyValidator(() => source.schema() ?? {});
  const rules = lazyRules(source.schema);
  return {
    allowUnconditionalUpdate: false,
    hasGeneration: true,
    selectableFields: source.selectableFields,
    warnings: finalizerWarnings,
    prepareForCreate(object) {
      if (subresources.status) delete object['status'];
    },
    prepareForUpdate: (object, old) => prepareForUpdate(object, old, subresources.status),
    validate: (object) => objectErrors(object, undefined, source, { validator, rules }),
    validateUpdate: (object, old, warn) => objectErrors(object, old, source, { validator, rules, warn }),
    ...(subresources.status ? { subresources: { status: statusStrategy(source, rules) } } : {}),
  };
}

function lazyValidator(schema: () => Structural): () => SchemaValidator {
  let validator: SchemaValidator | undefined;
  return () => (validator ??= new SchemaValidator(schema()));
}

/** Returns undefined if the schema has no rules. */
function lazyRules(schema: () => Structural | undefined): () => RuleValidator | undefined {
  let made: { readonly validator: RuleValidator | undefined } | undefined;
  return () => {
    const root = schema();
    made ??= {
      validator: root === undefined || !traitsOf(root).validations ? undefined : RuleValidator.of(root, root, true),
    };
    return made.validator;
  };
}

type Warn = (text: string) => void;

interface Validators {
  readonly validator: () => SchemaValidator;
  readonly rules: () => RuleValidator | undefined;
  readonly warn?: Warn | undefined;
}

function prepareForUpdate(object: JsonObject, old: JsonObject, hasStatus: boolean): void {
  if (hasStatus) {
    const status = ownField(old, 'status');
    if (status === undefined) delete object['status'];
    else object['status'] = clone(status);
  }
  const metadata = objectAt(object, 'metadata');
  if (metadata === undefined || equal(withoutMetadata(object), withoutMetadata(old))) return;
  metadata['generation'] = Number(ownField(objectAt(old, 'metadata'), 'generation') ?? 0) + 1;
}

function withoutMetadata(object: JsonObject): JsonObject {
  const copy = { ...object };
  delete copy['metadata'];
  return copy;
}

/** Returns all errors except metadata errors, in upstream's order. `old` is undefined for a create. */
function objectErrors(
  object: JsonObject,
  old: JsonObject | undefined,
  source: StrategySource,
  { validator, rules, warn }: Validators,
): FieldError[] {
  const { kind, subresources } = source;
  const { scale } = subresources;
  const schema = source.schema();
  const wrongKind = typeMetaErrors(object, kind);
  if (wrongKind.length > 0) return wrongKind;
  const correlation = old === undefined || schema === undefined ? undefined : new Correlation(object, old, schema);
  const errors = [
    ...validator().validate(object, { correlation }),
    ...(scale === undefined ? [] : [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)]),
    ...validateEmbedded(object, schema, false),
    ...listErrors(object, old, schema),
  ];
  return withRules(errors, rules(), { object, old, correlation, warn, metrics: source.ruleMetrics });
}

function typeMetaErrors(object: JsonObject, kind: GroupVersionKind): FieldError[] {
  const errors: FieldError[] = [];
  const given = { kind: stringAt(object, 'kind') ?? '', apiVersion: stringAt(object, 'apiVersion') ?? '' };
  if (given.kind !== kind.kind) errors.push(invalid('kind', given.kind, `must be ${kind.kind}`));
  const expected = apiVersion(kind);
  if (given.apiVersion !== expected) errors.push(invalid('apiVersion', given.apiVersion, `must be ${expected}`));
  return errors;
}

/** Ignores list errors if the old object already violated the rules of lists. */
function listErrors(object: JsonObject, old: JsonObject | undefined, schema: Structural | undefined): FieldError[] {
  if (schema === undefined || !traitsOf(schema).listTypes) return [];
  const errors = validateListTypes(schema, object);
  return errors.length > 0 && old !== undefined && validateListTypes(schema, old).length > 0 ? [] : errors;
}

const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

interface Change extends Validation {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
}

/** Adds the errors of the schema's rules. Skips the rules if the object does not match the schema. */
function withRules(
  errors: FieldError[],
  rules: RuleValidator | undefined,
  { object, old, ...validation }: Change,
): FieldError[] {
  if (rules === undefined) return errors;
  if (!errors.some(({ type }) => BLOCKING.has(type))) {
    return [...errors, ...rules.validate(object, old, validation)];
  }
  const text =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, invalid('<nil>', null, text)];
}

/** Returns upstream's status strategy: only the status may change. */
function statusStrategy(source: StrategySource, rules: () => RuleValidator | undefined): UpdateStrategy {
  const { kind, subresources } = source;
  const { scale } = subresources;
  const validator = lazyValidator(() => source.schema()?.properties?.get('status') ?? {});
  return {
    prepareForUpdate: keepAllButStatus,
    validateUpdate(object, old, warn) {
      const wrongKind = typeMetaErrors(object, kind);
      if (wrongKind.length > 0) return wrongKind;
      const schema = source.schema();
      const value = ownField(object, 'status');
      const whole = schema === undefined ? undefined : new Correlation(object, old, schema);
      const correlation = whole?.key('status');
      const errors = [
        ...(value === undefined ? [] : validator().validate(value, { base: 'status', correlation })),
        ...(scale === undefined ? [] : scaleStatusErrors(object, scale)),
        ...listErrors(object, old, schema),
      ];
      return withRules(errors, rules(), { object, old, correlation: whole, warn, metrics: source.ruleMetrics });
    },
  };
}

function keepAllButStatus(object: JsonObject, old: JsonObject): void {
  const status = ownField(object, 'status');
  const managedFields = ownField(objectAt(object, 'metadata'), 'managedFields');
  for (const field of Object.keys(object)) delete object[field];
  const kept = clone(old);
  for (const field of Object.keys(kept)) setField(object, field, kept[field] as Json);
  setOrDelete(object, 'status', status);
  const metadata = objectAt(object, 'metadata');
  if (metadata !== undefined) setOrDelete(metadata, 'managedFields', managedFields);
}

function setOrDelete(object: JsonObject, field: string, value: Json | undefined): void {
  if (value === undefined) delete object[field];
  else object[field] = value;
}
