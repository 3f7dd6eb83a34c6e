import { validateDefaults } from '#lib/api/schema/defaults-validation.ts';
import type { JSONSchemaProps } from '#lib/api/schema/json-schema-props.ts';
import { unsupportedField } from '#lib/api/schema/structural.ts';
import { validateStructural } from '#lib/api/schema/structural-validation.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { type FieldError, type FieldPath, forbidden, invalid } from '#lib/machinery/validation/field.ts';
import { defaultRules } from '../cel/default-rules.ts';
import { internalSchema, ROOT_FIELDS, setFields } from './internal-schema.ts';
import { validateOpenApiSchema } from './openapi-schema.ts';
import type { ValidationOptions } from './options.ts';
import { RuleCosts } from './rule-costs.ts';

/** Upstream's `validateCustomResourceDefinitionValidation`. `path` is the path of the object that contains openAPIV3Schema. */
export function* validateSchema(
  schema: JSONSchemaProps | undefined,
  path: FieldPath,
  options: ValidationOptions & { readonly statusEnabled: boolean; readonly keepsRuleCosts: boolean },
): Steps<FieldError[]> {
  if (schema === undefined) return [];
  const at = path.child('openAPIV3Schema');
  const errors = options.statusEnabled ? rootErrors(schema, at) : [];
  if (schema.nullable === true) errors.push(forbidden(at.child('nullable'), 'nullable cannot be true at the root'));
  const unsupported = options.requireStructuralSchema ? unsupportedField(schema) : undefined;
  yield;
  const structural = options.requireStructuralSchema && unsupported === undefined;
  const wrong = structural ? yield* structuralErrors(schema, at, options.requirePrunedDefaults) : [];
  const costs = new RuleCosts();
  const rules = { costs, cardinality: 1, root: true, ignoreCosts: options.keepsRuleCosts };
  for (const error of wrong) errors.push(error);
  yield;
  for (const error of validateOpenApiSchema(schema, at, options, structural && wrong.length === 0 ? rules : undefined))
    errors.push(error);
  yield;
  if (errors.length === 0 && options.requireStructuralSchema && unsupported !== undefined) {
    errors.push(invalid(at, '', unsupported));
  }
  return [...errors, ...costs.errors(at)];
}

function* structuralErrors(schema: JSONSchemaProps, path: FieldPath, requirePruned: boolean): Steps<FieldError[]> {
  const errors = validateStructural(path, schema);
  yield;
  return errors.length > 0 ? errors : validateDefaults(path, schema, requirePruned, defaultRules());
}

/** With a status subresource, the root may only have fields that still apply when `status` is validated alone. */
function rootErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  for (const name of setFields(schema)) {
    if (name === 'Type') {
      if (schema.type === 'object') continue;
      const text =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(path.child('type'), schema.type ?? '', text)];
    }
    if (ROOT_FIELDS.includes(name)) continue;
    const allowed = `[${ROOT_FIELDS.join(' ')}]`;
    const text = `only ${allowed} fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalid(path, internalSchema(schema), text)];
  }
  return [];
}
