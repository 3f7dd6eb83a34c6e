import { additionalSchema } from './json-schema-props.ts';
import type { Structural } from './structural.ts';

/** What occurs anywhere in a schema; walks of values skip what cannot matter to them. */
export interface Traits {
  readonly defaults: boolean;
  readonly listTypes: boolean;
  readonly embedded: boolean;
  readonly validations: boolean;
}

const known = new WeakMap<Structural, Traits>();

export function traitsOf(schema: Structural): Traits {
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  const traits = childrenOf(schema)
    .map(traitsOf)
    .reduce(merge, {
      defaults: schema.default !== undefined,
      listTypes: schema.listType === 'set' || schema.listType === 'map',
      embedded: schema.embeddedResource === true,
      validations: (schema.validations?.length ?? 0) > 0,
    });
  known.set(schema, traits);
  return traits;
}

function childrenOf(schema: Structural): Structural[] {
  const additional = additionalSchema(schema);
  return [
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.properties?.values() ?? []),
    ...(additional === undefined ? [] : [additional]),
  ];
}

function merge(a: Traits, b: Traits): Traits {
  return {
    defaults: a.defaults || b.defaults,
    listTypes: a.listTypes || b.listTypes,
    embedded: a.embedded || b.embedded,
    validations: a.validations || b.validations,
  };
}
