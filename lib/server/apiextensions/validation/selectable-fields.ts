import { validFieldPath } from '#lib/api/schema/field-path.ts';
import type { JSONSchemaProps } from '#lib/api/schema/json-schema-props.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { MAX_SELECTABLE_FIELDS } from './options.ts';

const TYPES = ['string', 'boolean', 'integer'];
const TYPE_TEXT =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

/** Checks that selectable fields are distinct scalar fields of the schema, outside the metadata. */
export function validateSelectableFields(
  fields: readonly string[],
  schema: JSONSchemaProps,
  path: FieldPath,
  allowTooMany: boolean,
): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap((field, i) => fieldErrors(field, schema, path.index(i).child('jsonPath'), seen));
  if (seen.size <= MAX_SELECTABLE_FIELDS || allowTooMany) return errors;
  return [...errors, tooMany(path, seen.size, MAX_SELECTABLE_FIELDS)];
}

function fieldErrors(field: string, schema: JSONSchemaProps, path: FieldPath, seen: Set<string>): FieldError[] {
  if (field === '') return [required(path)];
  const found = validFieldPath(field, schema, false);
  if (typeof found === 'string') return [invalid(path, field, `is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (found.names[0] === 'metadata') errors.push(invalid(path, field, 'must not point to fields in metadata'));
  if (!TYPES.includes(found.schema.type ?? '')) errors.push(invalid(path, field, TYPE_TEXT));
  const name = found.names.join('.');
  if (seen.has(name)) errors.push(duplicate(path, field));
  seen.add(name);
  return errors;
}
