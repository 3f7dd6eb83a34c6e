import type { Narrowing, StoredObject } from '../storage.ts';

/** The value that an object has where the narrowing asks. An empty one counts as none. */
export function valueAt(where: Narrowing, object: StoredObject | undefined): string | undefined {
  if (object === undefined) return undefined;
  const { fields, labels } = object.summary;
  const [held, name] = 'field' in where ? [fields, where.field] : [labels, where.label];
  const value: unknown = Object.hasOwn(held, name) ? held[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
