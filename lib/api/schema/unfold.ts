import { equal, type Json } from '#lib/machinery/json-value.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import type { Structural } from './structural.ts';

const EITHER: readonly JSONSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

/** Whether the anyOf is exactly the one that int-or-string implies. */
export const isIntOrStringAnyOf = (anyOf: readonly JSONSchemaProps[] | undefined): boolean =>
  anyOf !== undefined && equal(anyOf.map(nested) as unknown as Json, EITHER as unknown as Json);

/** Returns the part of a nested schema that a structural schema keeps. */
function nested(s: JSONSchemaProps): JSONSchemaProps {
  const { ref: _, additionalProperties, ...kept } = s;
  return additionalProperties === undefined || additionalProperties === false ? kept : s;
}

/** Upstream's `Unfold`, as a copy: expresses every int-or-string in plain OpenAPI as an integer or a string. */
export function unfold(s: Structural): Structural {
  const { items, properties, additionalProperties } = s;
  return {
    ...s,
    ...(s.intOrString === true ? unfolded(s) : {}),
    ...(items === undefined ? {} : { items: unfold(items) }),
    ...(properties === undefined
      ? {}
      : { properties: new Map([...properties].map(([name, property]) => [name, unfold(property)])) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: unfold(additionalProperties) } : {}),
  };
}

function unfolded({ anyOf, allOf }: Structural): Structural {
  if (isIntOrStringAnyOf(anyOf) || isIntOrStringAnyOf(allOf?.[0]?.anyOf)) return {};
  return anyOf === undefined ? { anyOf: EITHER } : { allOf: [{ anyOf: EITHER }, ...(allOf ?? [])] };
}
