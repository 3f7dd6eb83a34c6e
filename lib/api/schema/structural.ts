import { isLeaf, type JSONSchemaProps } from './json-schema-props.ts';

/**
 * A schema whose fields, items and values are all defined by `type`, `properties`, `items` and `additionalProperties`: upstream's
 * `Structural`. A JSONSchemaProps is structural if `unsupportedField` finds no error in it. `validateStructural` then checks whether it is
 * complete.
 */
export type Structural = JSONSchemaProps;

const SCALARS = [
  ['id', 'id'],
  ['schema', 'schema'],
  ['ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
] as const;
/** The unsupported fields, except those in nested schemas. */
const SUSPECT: ReadonlySet<string> = new Set(['id', 'schema', 'ref', 'preserveUnknownFields']);

function isPlain(props: JSONSchemaProps): boolean {
  for (const field in props) if (SUSPECT.has(field)) return false;
  return isLeaf(props);
}

/** Returns the reason why the schema cannot be structural (the error of upstream's `NewStructural`), or undefined. */
export function unsupportedField(props: JSONSchemaProps): string | undefined {
  if (isPlain(props)) return undefined;
  for (const [name, shown] of SCALARS) if (isSet(props[name])) return `OpenAPIV3Schema '${shown}' is not supported`;
  if (props.preserveUnknownFields === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (props.itemSchemas !== undefined && props.itemSchemas.length > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  for (const child of structuralChildren(props)) {
    const problem = unsupportedField(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isSet(value: unknown): boolean {
  return value instanceof Map ? value.size > 0 : value !== undefined && value !== '';
}

function* structuralChildren(props: JSONSchemaProps): Generator<JSONSchemaProps> {
  if (props.not !== undefined) yield props.not;
  for (const group of [props.allOf, props.anyOf, props.oneOf]) if (group !== undefined) yield* group;
  if (props.items !== undefined) yield props.items;
  if (props.properties !== undefined) yield* props.properties.values();
  if (typeof props.additionalProperties === 'object') yield props.additionalProperties;
}

/** Returns the schema as that of a whole resource, with apiVersion, kind and metadata. */
export function asResource(schema: Structural | undefined): Structural {
  return schema?.embeddedResource === true ? schema : { ...schema, embeddedResource: true };
}

/** The fields of every resource: apiVersion, kind and metadata. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
