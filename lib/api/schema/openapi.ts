import { type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { downgrade } from './openapi-v2.ts';
import type { Structural } from './structural.ts';
import { toJson } from './to-json.ts';
import { unfold } from './unfold.ts';

/** The kind whose schema is published, and the target document. */
export interface PublishOptions {
  readonly openapi: 'v2' | 'v3';
  readonly kind: GroupVersionKind;
  readonly preserveUnknownFields: boolean;
  /** Paths in field selectors: `spec.color`. */
  readonly selectableFields: readonly string[];
}

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
const DESCRIPTIONS = {
  apiVersion: 'APIVersion defines the group and version whose schema this object is written in.',
  kind: 'Name of the type of this object.',
  metadata: "Standard object's metadata.",
};

/** Returns the name of a kind's definition: `com.example.v1.CronTab`. */
export function modelName({ group, version, kind }: GroupVersionKind): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

/**
 * Returns the definition of a custom kind: its structural schema with apiVersion, kind and metadata, as upstream publishes it. Yields to
 * other tasks.
 */
export function* publishKind(schema: Structural | undefined, options: PublishOptions): Steps<JsonObject> {
  const { openapi, preserveUnknownFields } = options;
  const open = openapi === 'v2' && (schema?.preserveUnknownFields === true || preserveUnknownFields);
  const own = schema === undefined || open ? { type: 'object' } : yield* body(schema, options);
  return { ...own, ...extensions(options) };
}

function* body(schema: Structural, { openapi }: PublishOptions): Steps<JsonObject> {
  const unfolded = unfold(schema);
  yield;
  const shown = openapi === 'v2' ? downgrade(unfolded) : unfolded;
  yield;
  const json = toJson(shown);
  yield;
  addEmbedded(json, openapi);
  yield;
  return { ...json, properties: { ...objectAt(json, 'properties'), ...typeMeta(openapi) } };
}

const text = (description: string): JsonObject => ({ description, type: 'string' });

/** Creates a reference. OpenAPI v3 wraps a reference that has a sibling field. */
function reference(name: string, openapi: 'v2' | 'v3', description: string): JsonObject {
  if (openapi === 'v2') return { description, $ref: `#/definitions/${name}` };
  return { description, allOf: [{ $ref: `#/components/schemas/${name}` }] };
}

const typeMeta = (openapi: 'v2' | 'v3'): JsonObject => ({
  apiVersion: text(DESCRIPTIONS.apiVersion),
  kind: text(DESCRIPTIONS.kind),
  metadata: reference(OBJECT_META, openapi, DESCRIPTIONS.metadata),
});

/** Adds apiVersion, kind and metadata to embedded resources, in place. */
function addEmbedded(json: JsonObject, openapi: 'v2' | 'v3'): void {
  for (const property of Object.values(objectAt(json, 'properties') ?? {})) addInside(property, openapi);
  addInside(json['items'], openapi);
  addInside(json['additionalProperties'], openapi);
  if (openapi === 'v2' && json['x-kubernetes-preserve-unknown-fields'] === true) return;
  if (json['x-kubernetes-embedded-resource'] !== true) return;
  json['properties'] = { ...objectAt(json, 'properties'), ...typeMeta(openapi) };
  const required = Array.isArray(json['required']) ? json['required'] : [];
  json['required'] = [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))];
}

function addInside(json: Json | undefined, openapi: 'v2' | 'v3'): void {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) addEmbedded(json, openapi);
}

function extensions({ kind, selectableFields }: PublishOptions): JsonObject {
  const { group, version } = kind;
  return {
    'x-kubernetes-group-version-kind': [{ group, kind: kind.kind, version }],
    ...(selectableFields.length === 0
      ? {}
      : { 'x-kubernetes-selectable-fields': selectableFields.map((fieldPath) => ({ fieldPath })) }),
  };
}

/** Returns the definition of a custom kind's list. */
export function publishList(listKind: string, plural: string, options: PublishOptions): JsonObject {
  const { kind, openapi } = options;
  const prefix = openapi === 'v2' ? '#/definitions/' : '#/components/schemas/';
  const items = { description: `List of ${plural}.`, type: 'array', items: { $ref: prefix + modelName(kind) } };
  return {
    description: `${listKind} is a list of ${kind.kind}`,
    type: 'object',
    required: ['items'],
    properties: { ...typeMeta(openapi), items, metadata: reference(LIST_META, openapi, 'What every list has.') },
    ...extensions({ ...options, kind: { ...kind, kind: listKind } }),
  };
}
