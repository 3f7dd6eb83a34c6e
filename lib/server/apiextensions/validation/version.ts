import { unsupportedField } from '#lib/api/schema/structural.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import type { Version, VersionFields } from '../definition.ts';
import { validateColumn, validateScale } from './columns.ts';
import { invalidLabel } from './names.ts';
import type { ValidationOptions } from './options.ts';
import { validateSchema } from './schema.ts';
import { validateSelectableFields } from './selectable-fields.ts';

interface FieldsOptions {
  readonly path: FieldPath;
  readonly options: ValidationOptions;
  /** Whether the version has a status subresource, including a shared one. */
  readonly statusEnabled: boolean;
  /** The version that has the schema, or the first version if all share it. */
  readonly version: string;
}

/** Validates one of `spec.versions`. Fields that all versions share are absent here and checked once. */
export function* validateVersion(version: Version, context: Omit<FieldsOptions, 'version'>): Steps<FieldError[]> {
  const { path, options } = context;
  return [
    ...invalidLabel(version.name, path.child('name')),
    ...warningErrors(version, path.child('deprecationWarning')),
    ...(yield* validateFields(version, { ...context, version: version.name, schemaPath: path.child('schema') })),
    ...selectableErrors(version, path, options.tooManySelectableFields.has(version.name)),
  ];
}

interface FieldsContext extends FieldsOptions {
  readonly schemaPath: FieldPath;
}

/** Validates the schema, subresources and columns of a version. */
export function* validateFields(fields: VersionFields, context: FieldsContext): Steps<FieldError[]> {
  const { path, schemaPath, options, statusEnabled } = context;
  const keepsRuleCosts = options.unchangedSchemas.has(context.version);
  const { scale } = fields.subresources ?? {};
  return [
    ...(yield* validateSchema(fields.schema?.openAPIV3Schema, schemaPath, {
      ...options,
      statusEnabled,
      keepsRuleCosts,
    })),
    ...(scale === undefined ? [] : validateScale(scale, path.child('subresources'))),
    ...fields.additionalPrinterColumns.flatMap((column, i) =>
      validateColumn(column, path.child('additionalPrinterColumns').index(i)),
    ),
  ];
}

/** Validates selectable fields of a version, or of all versions if `path` is the path of the spec. */
export function selectableErrors(fields: VersionFields, path: FieldPath, allowTooMany: boolean): FieldError[] {
  const { schema, selectableFields } = fields;
  if (selectableFields.length === 0) return [];
  const at = path.child('selectableFields');
  const props = schema?.openAPIV3Schema;
  if (props === undefined) {
    return [invalid(at, '', 'may only be set when `version.schema.openAPIV3Schema` is not included')];
  }
  const problem = unsupportedField(props);
  const errors = problem === undefined ? [] : [invalid(path.child('schema.openAPIV3Schema'), '', problem)];
  return [...errors, ...validateSelectableFields(selectableFields, props, at, allowTooMany)];
}

function warningErrors({ deprecated, deprecationWarning: warning }: Version, path: FieldPath): FieldError[] {
  if (warning === undefined) return [];
  return warningMessages(deprecated, warning).map((message) => invalid(path, warning, message));
}

function warningMessages(deprecated: boolean, warning: string): string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const messages: string[] = [];
  if (Buffer.byteLength(warning) > 256) messages.push('must be <= 256 characters long');
  if (warning === '') messages.push('must not be an empty string');
  let at = 0;
  for (const rune of warning) {
    if (!/[ \p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(rune)) {
      messages.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
      break;
    }
    at += Buffer.byteLength(rune);
  }
  return messages;
}
