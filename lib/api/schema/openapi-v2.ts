import { additionalSchema } from './json-schema-props.ts';
import type { Structural } from './structural.ts';

/**
 * Upstream's `ToStructuralOpenAPIV2`, as a copy. Omits features that OpenAPI v2 lacks (junctors, nullable). Also omits features that old
 * kubectl versions cannot handle (fields of nullable or open objects, lists without an item schema).
 */
export function downgrade(given: Structural): Structural {
  const { allOf: _allOf, oneOf: _oneOf, anyOf: _anyOf, not: _not, ...s } = given;
  const closed = s.nullable !== true && s.preserveUnknownFields !== true;
  const untyped = s.nullable === true || (s.preserveUnknownFields === true && s.type === 'object');
  const { items, properties, type, required, nullable: _nullable, additionalProperties, ...rest } = s;
  const kept = keptRequired(s);
  const keepsItems = closed && items !== undefined;
  const keepsType = type !== undefined && !untyped && (type !== 'array' || keepsItems);
  return {
    ...rest,
    ...(keepsType ? { type } : {}),
    ...(kept.length === 0 || required === undefined ? {} : { required: kept }),
    ...(keepsItems ? { items: downgrade(items) } : {}),
    ...(closed && properties !== undefined
      ? { properties: new Map([...properties].map(([name, property]) => [name, downgrade(property)])) }
      : {}),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object' ? downgrade(additionalProperties) : additionalProperties,
        }),
  };
}

/** Returns the required fields that are not nullable. OpenAPI v2 has no null. */
function keptRequired(s: Structural): readonly string[] {
  if (additionalSchema(s)?.nullable === true) return [];
  const open = s.nullable === true || s.preserveUnknownFields === true;
  return (s.required ?? []).filter((name) => open || s.properties?.get(name)?.nullable !== true);
}
