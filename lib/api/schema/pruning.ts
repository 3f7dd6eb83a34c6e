import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { additionalSchema } from './json-schema-props.ts';
import { asResource, META_FIELDS, type Structural } from './structural.ts';

/** Collects the paths of pruned fields (`spec.a`, `spec.items[0].b`), if requested. */
export type UnknownFields = string[];

/**
 * Upstream's `Prune`: removes unknown fields in place. With `isResourceRoot` it keeps the root's apiVersion, kind and metadata, like those
 * of embedded resources.
 */
export function prune(
  value: Json,
  schema: Structural | undefined,
  isResourceRoot: boolean,
  unknown?: UnknownFields,
): void {
  const root = isResourceRoot ? asResource(schema) : schema;
  const paths: UnknownFields | undefined = unknown === undefined ? undefined : [];
  pruneNode(value, root, '', paths);
  for (const path of paths?.sort() ?? []) unknown?.push(path);
}

function pruneNode(
  value: Json,
  schema: Structural | undefined,
  path: string,
  unknown: UnknownFields | undefined,
): void {
  if (value === null || typeof value !== 'object') return;
  if (schema?.preserveUnknownFields === true) return skip(value, schema, path, unknown);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) pruneNode(value[i] as Json, schema?.items, item(path, i, unknown), unknown);
  } else pruneObject(value, schema, path, unknown);
}

function pruneObject(
  value: JsonObject,
  schema: Structural | undefined,
  path: string,
  unknown: UnknownFields | undefined,
): void {
  for (const name of Object.keys(value)) {
    if (schema?.embeddedResource === true && META_FIELDS.has(name)) continue;
    const property = schema?.properties?.get(name);
    if (property !== undefined) pruneNode(value[name] as Json, property, field(path, name, unknown), unknown);
    else if (schema?.additionalProperties !== undefined) {
      pruneNode(value[name] as Json, additionalSchema(schema), field(path, name, unknown), unknown);
    } else {
      if (schema === undefined || !META_FIELDS.has(name) || path !== '') unknown?.push(field(path, name, unknown));
      delete value[name];
    }
  }
}

/** Handles a schema that preserves unknown fields: prunes only inside known fields. */
function skip(value: Json, schema: Structural | undefined, path: string, unknown: UnknownFields | undefined): void {
  if (schema === undefined || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) skip(value[i] as Json, schema.items, item(path, i, unknown), unknown);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      if (schema.embeddedResource === true && META_FIELDS.has(name)) continue;
      const property = schema.properties?.get(name);
      const known = property !== undefined || schema.additionalProperties !== undefined;
      if (known) {
        pruneNode(value[name] as Json, property ?? additionalSchema(schema), field(path, name, unknown), unknown);
      }
    }
  }
}

const field = (path: string, name: string, unknown: UnknownFields | undefined): string =>
  unknown === undefined ? '' : path === '' ? name : `${path}.${name}`;
const item = (path: string, i: number, unknown: UnknownFields | undefined): string =>
  unknown === undefined ? '' : `${path}[${i}]`;
