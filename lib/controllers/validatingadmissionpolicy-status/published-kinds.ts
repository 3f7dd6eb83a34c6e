import { parseProps } from '#lib/api/schema/json-schema-props.ts';
import type { Client } from '#lib/client/client.ts';
import { discover } from '#lib/client/discovery.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import type { KindSource } from '#lib/server/admission/policy/type-checker.ts';
import { declType } from '#lib/server/apiextensions/cel/decl-type.ts';

const REF = '#/components/schemas/';

/** Kinds from discovery and the published OpenAPI documents, each read once: upstream's ClientDiscoveryResolver. */
export function publishedKinds(client: Client): KindSource {
  let served: ReturnType<typeof discover> | undefined;
  const documents = new Map<string, Promise<JsonObject>>();
  const schemasOf = (groupVersion: string): Promise<JsonObject> => {
    const known = documents.get(groupVersion) ?? schemasIn(client, groupVersion);
    documents.set(groupVersion, known);
    return known;
  };
  return {
    async kindsFor({ group, version, resource }) {
      return (await (served ??= discover(client)))
        .filter(({ resource: one }) => one.version === version && one.resource === resource)
        .filter(({ resource: one }) => group === '' || one.group === group)
        .map(({ resource: one, kind }) => ({ group: one.group, version, kind }));
    },
    async typeOf(kind) {
      const schemas = await schemasOf(apiVersion(kind));
      const root = Object.values(schemas).find((schema) => isOf(schema, kind));
      return isObject(root) ? declType(parseProps(resolved(root, schemas, new Set())), true) : undefined;
    },
  };
}

async function schemasIn(client: Client, groupVersion: string): Promise<JsonObject> {
  const path = `/openapi/v3/${groupVersion.includes('/') ? 'apis' : 'api'}/${groupVersion}`;
  const document = await client.document(path).catch(absent);
  return objectAt(objectAt(document, 'components'), 'schemas') ?? {};
}

function absent(error: unknown): JsonObject {
  if (error instanceof StatusError && error.code === 404) return {};
  throw error;
}

function isOf(schema: Json, { group, version, kind }: GroupVersionKind): boolean {
  if (!isObject(schema)) return false;
  return items(schema, 'x-kubernetes-group-version-kind').some(
    (one) => text(one, 'group') === group && text(one, 'version') === version && text(one, 'kind') === kind,
  );
}

/** The schema with references resolved. A recursive reference becomes a plain object. */
function resolved(schema: JsonObject, schemas: JsonObject, within: ReadonlySet<string>): JsonObject {
  const ref = refOf(schema);
  const target = ref === undefined ? schema : ownField(schemas, ref);
  if (!isObject(target) || (ref !== undefined && within.has(ref))) return { type: 'object' };
  const inside = ref === undefined ? within : new Set([...within, ref]);
  const below = (part: Json | undefined): Json | undefined => (isObject(part) ? resolved(part, schemas, inside) : part);
  const result: JsonObject = { ...target };
  for (const field of ['items', 'additionalProperties']) {
    const part = below(target[field]);
    if (part !== undefined) result[field] = part;
  }
  const properties = objectAt(target, 'properties');
  if (properties !== undefined)
    result['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, part]): [string, Json] => [name, below(part) ?? {}]),
    );
  if (target['format'] === 'int-or-string') result['x-kubernetes-int-or-string'] = true;
  return result;
}

/** A reference with sibling fields is wrapped in `allOf`. */
function refOf(schema: JsonObject): string | undefined {
  const ref = text(schema, '$ref');
  if (ref !== '') return ref.replace(REF, '');
  for (const one of items(schema, 'allOf')) {
    const inner = refOf(one);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
