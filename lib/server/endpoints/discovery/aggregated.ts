import { isBuiltInGroup } from '#lib/api/kinds.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { DiscoveredResource, DiscoveredVersion } from './resource-list.ts';

/** `apidiscovery.k8s.io/v2 APIGroupDiscoveryList`: every group in one document (KEP-3352). */
export function apiGroupDiscoveryList(versions: readonly DiscoveredVersion[]): JsonObject {
  const groups = Map.groupBy(versions, ({ group }) => group);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...groups].map(([name, served]) => ({
      metadata: name === '' ? {} : { name },
      versions: served.map(versionDiscovery),
    })),
  };
}

function versionDiscovery(served: DiscoveredVersion): JsonObject {
  const { version, resources, freshness } = served;
  const listed = served.discovery === undefined ? grouped(resources, served) : [...served.discovery];
  const isOwn = freshness === undefined;
  return {
    version,
    ...(listed.length === 0 && !isOwn ? {} : { resources: listed }),
    freshness: freshness ?? 'Current',
  };
}

/** Nests subresources within their resource. */
function grouped(resources: readonly DiscoveredResource[], of: { group: string; version: string }): JsonObject[] {
  const main = resources.filter(({ name }) => !name.includes('/'));
  const orphans = resources.filter(
    ({ name }) => name.includes('/') && !main.some((r) => name.startsWith(`${r.name}/`)),
  );
  return [
    ...main.map((resource) => discovery(resource, resources, of)),
    ...orphans.map((resource) => parentOnly(resource, of)),
  ];
}

function discovery(
  resource: DiscoveredResource,
  all: readonly DiscoveredResource[],
  of: { group: string; version: string },
): JsonObject {
  const { name, namespaced, singularName, verbs, shortNames = [], categories = [] } = resource;
  const subresources = all.filter((other) => other.name.startsWith(`${name}/`)).map((sub) => subresource(sub, of));
  return {
    resource: name,
    responseKind: responseKind(resource, of),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singularName,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function subresource(resource: DiscoveredResource, of: { group: string; version: string }): JsonObject {
  const name = resource.name.slice(resource.name.indexOf('/') + 1);
  return { subresource: name, responseKind: responseKind(resource, of), verbs: [...resource.verbs] };
}

function parentOnly(resource: DiscoveredResource, of: { group: string; version: string }): JsonObject {
  const [name = ''] = resource.name.split('/');
  const scope = resource.namespaced ? 'Namespaced' : 'Cluster';
  const none = { group: '', version: '', kind: '' };
  return {
    resource: name,
    responseKind: none,
    scope,
    singularResource: '',
    verbs: [],
    subresources: [subresource(resource, of)],
  };
}

/** Built-in kinds omit the group and version of their list. Custom kinds include them. */
function responseKind(
  { kind, group, version }: DiscoveredResource,
  of: { group: string; version: string },
): JsonObject {
  const own = isBuiltInGroup(of.group) ? { group: '', version: '' } : of;
  return { group: group ?? own.group, version: version ?? own.version, kind };
}
