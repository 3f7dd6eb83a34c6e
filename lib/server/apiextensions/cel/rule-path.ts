import { validFieldPath } from '#lib/api/schema/field-path.ts';
import { additionalSchema } from '#lib/api/schema/json-schema-props.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';

/** Returns a rule's `fieldPath` as errors show it: `spec.a[key]`. Undefined if the schema does not contain it. */
export function rulePath(fieldPath: string, schema: Structural): string | undefined {
  const valid = validFieldPath(fieldPath, schema);
  if (typeof valid === 'string') return undefined;
  let path = FieldPath.of('');
  let current: Structural | undefined = schema;
  for (const name of valid.names) {
    const property: Structural | undefined = current?.properties?.get(name);
    path = property === undefined ? path.key(name) : path.child(name);
    current = property ?? (current === undefined ? undefined : additionalSchema(current));
  }
  return path.toString();
}
