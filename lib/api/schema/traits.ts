import { additionalSchema } from './json-schema-props.ts';
import type { Structural } from './structural.ts';

/** The features that occur anywhere in a schema. A traversal of a value skips subtrees whose schema lacks the relevant feature. */
export interface Traits {
  readonly defaults: boolean;
  readonly listTypes: boolean;
  readonly embedded: boolean;
  readonly validations: boolean;
}

const known = new WeakMap<Structural, Traits>();

/** Returns the traits of a schema, computed once. */
export function traitsOf(schema: Structural): Traits {
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  const traits = {
    defaults: schema.default !== undefined,
    listTypes: schema.listType === 'set' || schema.listType === 'map',
    embedded: schema.embeddedResource === true,
    validations: (schema.validations?.length ?? 0) > 0,
  };
  if (schema.items !== undefined) include(traits, schema.items);
  if (schema.properties !== undefined) for (const property of schema.properties.values()) include(traits, property);
  const additional = additionalSchema(schema);
  if (additional !== undefined) include(traits, additional);
  known.set(schema, traits);
  return traits;
}

function include(traits: { -readonly [K in keyof Traits]: boolean }, inside: Structural): void {
  const { defaults, listTypes, embedded, validations } = traitsOf(inside);
  traits.defaults ||= defaults;
  traits.listTypes ||= listTypes;
  traits.embedded ||= embedded;
  traits.validations ||= validations;
}
