import { type FieldError, type FieldPath, required } from '#lib/machinery/validation/field.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import type { Structural } from './structural.ts';

/** Upstream's structural completeness: everything that the root's allOf, anyOf, oneOf and not validate must be defined outside of them. */
export function completenessErrors(s: Structural, path: FieldPath): FieldError[] {
  return junctorErrors(s, s, { schema: path, rule: path });
}

interface Paths {
  readonly schema: FieldPath;
  readonly rule: FieldPath;
}

function junctorErrors(v: JSONSchemaProps, s: Structural, paths: Paths): FieldError[] {
  const errors: FieldError[] = [];
  if (v.not !== undefined) errors.push(...nestedErrors(v.not, s, { ...paths, rule: paths.rule.child('not') }));
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [i, item] of (v[name] ?? []).entries()) {
      errors.push(...nestedErrors(item, s, { ...paths, rule: paths.rule.child(name).index(i) }));
    }
  }
  return errors;
}

function nestedErrors(v: JSONSchemaProps, s: Structural | undefined, paths: Paths): FieldError[] {
  if (s === undefined) return [required(paths.schema, `because it is defined in ${paths.rule}`)];
  const errors = junctorErrors(v, s, paths);
  if (v.items !== undefined) errors.push(...nestedErrors(v.items, s.items, below(paths, 'items')));
  for (const [name, property] of v.properties ?? []) {
    const schema = paths.schema.child('properties').key(name);
    const rule = paths.rule.child('properties').key(name);
    errors.push(...nestedErrors(property, s.properties?.get(name), { schema, rule }));
  }
  return errors;
}

const below = ({ schema, rule }: Paths, name: string): Paths => ({
  schema: schema.child(name),
  rule: rule.child(name),
});
