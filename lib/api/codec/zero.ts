import { hasNoField, isObject, type Json } from '#lib/machinery/json-value.ts';
import type { ValueFacts } from '../values.ts';

/** The encoded zero value of any type except a struct, as in Go. */
export function zeroScalar({ form }: ValueFacts): Json {
  switch (form) {
    case 'string':
      return '';
    case 'bool':
    case 'schemaorbool':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intstr':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    default:
      return null;
  }
}

/** Whether `omitempty` omits the value: zero numbers, false, empty strings, lists and maps, but never a struct. */
export function isEmpty(value: Json, { form }: ValueFacts): boolean {
  switch (form) {
    case 'string':
    case 'bytes':
      return value === '';
    case 'bool':
      return value === false;
    case 'int32':
    case 'int64':
    case 'double':
      return value === 0;
    case 'list':
      return Array.isArray(value) && value.length === 0;
    case 'map':
      return isObject(value) && hasNoField(value);
    default:
      return false;
  }
}
