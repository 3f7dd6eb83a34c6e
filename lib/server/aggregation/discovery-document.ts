import * as z from 'zod/mini';
import { decodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { DiscoveredResource } from '#lib/server/endpoints/discovery/resource-list.ts';

/** The maximum number of fields and items of a document. */
const MAX_VALUES = 200_000;

const text = z._default(z.nullable(z.string()), '');
const texts = z.optional(z.nullable(z.array(z.string())));
const gvk = z.optional(z.nullable(z.object({ group: text, version: text, kind: text })));

const subresource = z.object({ subresource: z.string(), responseKind: gvk, verbs: texts });
const resource = z.object({
  resource: z.string(),
  responseKind: gvk,
  scope: z.enum(['Namespaced', 'Cluster']),
  singularResource: text,
  verbs: texts,
  shortNames: texts,
  categories: texts,
  subresources: z.optional(z.nullable(z.array(subresource))),
});
const list = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: text }),
      versions: z.array(z.object({ version: z.string(), resources: z.optional(z.nullable(z.array(resource))) })),
    }),
  ),
});

/** Returns the resources of another server by group version, from an APIGroupDiscoveryList. Throws an Error if it is not one. */
export function readDiscovery(body: Uint8Array): ReadonlyMap<string, readonly JsonObject[]> {
  const { items } = list.parse(decodeJson(body, { maxValues: MAX_VALUES }).value);
  return new Map(
    items.flatMap(({ metadata: { name }, versions }) =>
      versions.map(({ version, resources }) => [
        apiVersion({ group: name ?? '', version }),
        (resources ?? []).map(resourceDiscovery),
      ]),
    ),
  );
}

const NO_KIND = { group: '', version: '', kind: '' };

function resourceDiscovery({ responseKind, verbs, ...found }: z.infer<typeof resource>): JsonObject {
  const { shortNames, categories, subresources } = found;
  return {
    resource: found.resource,
    responseKind: kindOf(responseKind),
    scope: found.scope,
    singularResource: found.singularResource ?? '',
    verbs: verbs ?? [],
    ...some('shortNames', shortNames),
    ...some('categories', categories),
    ...some(
      'subresources',
      subresources?.map((sub) => ({
        subresource: sub.subresource,
        responseKind: kindOf(sub.responseKind),
        verbs: sub.verbs ?? [],
      })),
    ),
  };
}

/** Returns the kind. Older clients require one. */
const kindOf = (kind: z.infer<typeof gvk>): JsonObject =>
  kind == null ? NO_KIND : { group: kind.group ?? '', version: kind.version ?? '', kind: kind.kind ?? '' };

const some = (name: string, values: readonly (string | JsonObject)[] | null | undefined): JsonObject =>
  values == null || values.length === 0 ? {} : { [name]: [...values] };

const legacyResource = z.object({
  name: z.string(),
  singularName: text,
  namespaced: z._default(z.boolean(), false),
  kind: text,
  group: z.optional(z.string()),
  version: z.optional(z.string()),
  verbs: texts,
  shortNames: texts,
  categories: texts,
});
const legacyList = z.object({ resources: z._default(z.nullable(z.array(legacyResource)), []) });

/** Returns the resources of an APIResourceList, for a server without aggregated discovery. Throws an Error if it is not one. */
export function readLegacyDiscovery(body: Uint8Array): readonly DiscoveredResource[] {
  const { resources } = legacyList.parse(decodeJson(body, { maxValues: MAX_VALUES }).value);
  return (resources ?? []).map(({ name, singularName, namespaced, kind, verbs, shortNames, categories, ...of }) => ({
    name,
    singularName: singularName ?? '',
    namespaced,
    kind: kind ?? '',
    group: of.group ?? '', // upstream does not fill it in
    version: of.version ?? '',
    verbs: verbs ?? [],
    shortNames: shortNames ?? [],
    categories: categories ?? [],
  }));
}
