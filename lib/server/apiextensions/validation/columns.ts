import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import type { Column, Scale } from '../definition.ts';

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Upstream's ValidateCustomResourceColumnDefinition. */
export function validateColumn(column: Column, path: FieldPath): FieldError[] {
  const errors = column.name === '' ? [required(path.child('name'))] : [];
  const oneOf = `must be one of ${TYPES.join(',')}`;
  if (column.type === '') errors.push(required(path.child('type'), oneOf));
  else if (!TYPES.includes(column.type)) errors.push(invalid(path.child('type'), column.type, oneOf));
  if (column.format !== '' && !FORMATS.includes(column.format)) {
    errors.push(invalid(path.child('format'), column.format, `must be one of ${FORMATS.join(',')}`));
  }
  const at = path.child('JSONPath');
  return [...errors, ...(column.jsonPath === '' ? [required(at)] : simplePathErrors(column.jsonPath, at))];
}

/** Validates the paths of the scale subresource. */
export function validateScale(scale: Scale, path: FieldPath): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  const at = (name: string): FieldPath => path.child(`scale.${name}`);
  const selector = at('labelSelectorPath');
  return [
    ...replicasErrors(specReplicasPath, '.spec', at('specReplicasPath')),
    ...replicasErrors(statusReplicasPath, '.status', at('statusReplicasPath')),
    ...(labelSelectorPath === '' ? [] : prefixErrors(labelSelectorPath, ['.spec', '.status'], selector)),
  ];
}

function replicasErrors(text: string, prefix: string, path: FieldPath): FieldError[] {
  return text === '' ? [required(path)] : prefixErrors(text, [prefix], path);
}

function prefixErrors(text: string, prefixes: readonly string[], path: FieldPath): FieldError[] {
  const errors = simplePathErrors(text, path);
  if (errors.length > 0 || prefixes.some((prefix) => text.startsWith(`${prefix}.`))) return errors;
  const under = prefixes.length === 1 ? prefixes[0] : `either ${prefixes.join(' or ')}`;
  return [invalid(path, text, `should be a json path under ${under}`)];
}

function simplePathErrors(text: string, path: FieldPath): FieldError[] {
  return text.startsWith('.') ? [] : [invalid(path, text, 'must be a simple json path starting with .')];
}
