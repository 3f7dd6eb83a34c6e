import type { Summary } from '../sequence.ts';
import type { FieldValue, Narrowing, StoredObject } from '../storage.ts';

/** The object's value of the field or label. Undefined for an empty value. */
export function valueAt(where: Narrowing, object: StoredObject | undefined): string | undefined {
  if (object === undefined) return undefined;
  const { fields, labels } = object.summary;
  const value = 'field' in where ? own(fields, where.field) : own(labels, where.label);
  return value === '' ? undefined : value;
}

/** Whether a state may have the value. A damaged object's summary lacks the field, so its value is unknown. */
export const mayHave = ({ field, value }: FieldValue, { fields }: Summary): boolean =>
  (own(fields, field) ?? value) === value;

function own(held: Readonly<Record<string, string>>, name: string): string | undefined {
  const value: unknown = Object.hasOwn(held, name) ? held[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
