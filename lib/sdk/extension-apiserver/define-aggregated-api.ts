import * as z from 'zod';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { toJsonObject } from '#lib/sdk/webhook-sdk/envelope.ts';
import {
  type AggregatedApiDeclaration,
  parseAggregatedApiDeclaration,
  type ResourceDeclaration,
} from './declaration.ts';
import type { Column, ResourceStorage, Subresource } from './storage.ts';

/** One resource of an aggregated API, as its author writes it. */
export interface AggregatedResource<T extends KubernetesObject = KubernetesObject> {
  /** The plural in lower case. For a metric, its name, which may be any path segment. */
  readonly name: string;
  /** Defaults to the kind in lower case. */
  readonly singularName?: string;
  readonly kind: string;
  /** Default true. */
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Validates written objects and documents the type: OpenAPI v3 or a zod type. By default any object is valid. */
  readonly schema?: JsonObject | z.ZodType;
  /** Additional validation. Throws StatusError to reject. */
  validate?(object: T): void;
  readonly storage: ResourceStorage<T>;
  /** The columns after the name. The age is added if objects have one. Default none. */
  readonly columns?: readonly Column<T>[];
  /** Default true. */
  readonly hasAge?: boolean;
  readonly subresources?: Readonly<Record<string, Subresource>>;
}

/** An aggregated API, as its author writes it. */
export interface AggregatedApiDefinition {
  /** The function's name. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  /** Default 1000, as for CustomResourceDefinitions. */
  readonly groupPriorityMinimum?: number;
  /** Default 100. */
  readonly versionPriority?: number;
  readonly resources: readonly AggregatedResource[];
}

/** A resource with all that is necessary to serve it. */
export interface ServedResource extends Omit<AggregatedResource, 'name' | 'schema'> {
  readonly declaration: ResourceDeclaration;
  /** The zod type that validates objects. Absent if an OpenAPI schema validates them. */
  readonly type?: z.ZodType;
}

/** An aggregated API as a function: a group version whose objects its author stores. */
export interface DefinedAggregatedApi {
  readonly declaration: AggregatedApiDeclaration;
  /** The resources by plural. */
  readonly resources: ReadonlyMap<string, ServedResource>;
}

/** Defines a resource with objects of one type. Returns the resource itself. Its methods receive only objects that the schema accepts. */
export const defineAggregatedResource = <T extends KubernetesObject>(
  resource: AggregatedResource<T>,
): AggregatedResource => resource;

/** Defines a group version that this code serves. Throws TypeError if its declaration is invalid. */
export function defineAggregatedApi(definition: AggregatedApiDefinition): DefinedAggregatedApi {
  const { groupPriorityMinimum = 1000, versionPriority = 100, resources, ...given } = definition;
  const all = resources.map(served);
  const declaration = parseAggregatedApiDeclaration({
    ...given,
    groupPriorityMinimum,
    versionPriority,
    resources: all.map((one) => one.declaration),
  });
  return { declaration, resources: new Map(all.map((one) => [one.declaration.name, one])) };
}

function served(resource: AggregatedResource): ServedResource {
  const { name, kind, singularName = kind.toLowerCase(), namespaced = true, schema = { type: 'object' } } = resource;
  const { shortNames = [], categories = [], subresources = {}, ...rest } = resource;
  const isTyped = isZod(schema);
  const declaration: ResourceDeclaration = {
    name,
    singularName,
    kind,
    namespaced,
    shortNames: [...shortNames],
    categories: [...categories],
    verbs: verbsOf(resource.storage),
    schema: isTyped ? documentOf(schema) : schema,
    subresources: Object.entries(subresources).map(([of, { verbs = ['get'], connect, protocols = [] }]) => ({
      name: of,
      verbs: [...verbs],
      ...(connect && { connect: { protocols: [...protocols] } }),
    })),
  };
  return { ...rest, subresources, declaration, ...(isTyped ? { type: schema } : {}) };
}

function documentOf(schema: z.ZodType): JsonObject {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    unrepresentable: 'any',
    io: 'input',
  });
  return toJsonObject(made);
}

const isZod = (schema: JsonObject | z.ZodType): schema is z.ZodType => typeof schema['safeParse'] === 'function';

function verbsOf(storage: ResourceStorage): string[] {
  const { get, list, watch, create, update, delete: remove } = storage;
  return [
    ...(create ? ['create'] : []),
    ...(get && remove ? ['delete'] : []),
    ...(list && remove ? ['deletecollection'] : []),
    ...(get ? ['get'] : []),
    ...(list ? ['list'] : []),
    ...(get && update ? ['patch', 'update'] : []),
    ...(watch && list ? ['watch'] : []),
  ];
}
