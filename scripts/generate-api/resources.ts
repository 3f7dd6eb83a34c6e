import { CORE_NAMES } from '#lib/api/facts/core-names.ts';
import type { GroupVersionRow, ResourceRow, SubresourceRow } from '#lib/api/row.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { DiscoveredResource, Document, Gvk, Operation, Sources } from './sources.ts';

const VERB_OF_ACTION: Readonly<Record<string, string>> = { post: 'create', put: 'update', watchlist: 'watch' };
const VERB_OF_METHOD: Readonly<Record<string, string>> = {
  post: 'create',
  put: 'update',
  get: 'get',
  patch: 'patch',
  delete: 'delete',
};

/** Served group-versions in discovery order: the core group, then groups by priority, preferred versions first. */
export function groupVersionRows(sources: Sources): GroupVersionRow[] {
  const core = sources.documents.get('api/v1');
  if (core === undefined) throw new Error('api/v1 is missing');
  const rows: GroupVersionRow[] = [{ g: '', v: 'v1', r: coreResources(core) }];
  for (const { metadata, versions } of sources.groups) {
    for (const { version, resources } of versions) {
      const group = metadata.name ?? '';
      if (sources.documents.has(`apis/${group}/${version}`))
        rows.push({ g: group, v: version, r: resources.map(resourceRow) });
    }
  }
  return rows.map((row) => ({ ...row, r: row.r.map((resource) => withDeletion(sources, row, resource)) }));
}

/** Some resources return the object on deletion. The published response shows which. */
function withDeletion({ documents }: Sources, { g, v }: GroupVersionRow, row: ResourceRow): ResourceRow {
  const base = g === '' ? 'api/v1' : `apis/${g}/${v}`;
  const path = `/${base}/${row.ns === 1 ? 'namespaces/{namespace}/' : ''}${row.n[0]}/{name}`;
  const answer =
    documents.get(base)?.paths[path]?.['delete']?.responses?.['200']?.content?.['application/json']?.schema;
  return answer === undefined || answer.$ref?.endsWith('.Status') === true ? row : { ...row, d: 1 };
}

function resourceRow(found: DiscoveredResource): ResourceRow {
  const subresources = found.subresources?.map(({ subresource, responseKind, verbs }) =>
    subresourceRow(subresource, responseKind, verbs),
  );
  return {
    n: [found.resource, found.singularResource, found.responseKind.kind],
    ns: found.scope === 'Namespaced' ? 1 : 0,
    v: found.verbs.join(' '),
    ...defined({ sn: found.shortNames, c: found.categories, s: subresources }),
  };
}

function subresourceRow(name: string, { group, version, kind }: Gvk, verbs: readonly string[]): SubresourceRow {
  const allowed = verbs.join(' ');
  return version === '' ? [name, kind, allowed] : [name, kind, allowed, group === '' ? version : `${group}/${version}`];
}

interface Found {
  kind: Gvk | undefined;
  namespaced: boolean;
  readonly verbs: Set<string>;
}

/** No aggregated document contains the core group, so its resources are derived from its paths. */
function coreResources(document: Document): ResourceRow[] {
  const found = new Map<string, Found>();
  for (const [path, methods] of Object.entries(document.paths)) {
    const match = /^\/api\/v1\/(watch\/)?(namespaces\/\{namespace\}\/)?([a-z]+)(?:\/\{name\}(?:\/([a-z]+))?)?$/.exec(
      path,
    );
    if (match === null) continue;
    const name = match[4] === undefined ? (match[3] as string) : `${match[3]}/${match[4]}`;
    const resource = found.get(name) ?? { kind: undefined, namespaced: false, verbs: new Set() };
    found.set(name, resource);
    if (match[2] !== undefined) resource.namespaced = true;
    for (const [method, operation] of Object.entries(methods)) addVerb(resource, method, operation);
  }
  return [...found.keys()]
    .filter((name) => !name.includes('/'))
    .sort()
    .map((name) => coreResource(name, found));
}

function addVerb(resource: Found, method: string, operation: Operation): void {
  const action = operation['x-kubernetes-action'];
  const verb = action === 'connect' ? VERB_OF_METHOD[method] : (VERB_OF_ACTION[action ?? ''] ?? action);
  if (verb === undefined) return;
  resource.verbs.add(verb);
  resource.kind = operation['x-kubernetes-group-version-kind'] ?? resource.kind;
}

function coreResource(name: string, all: ReadonlyMap<string, Found>): ResourceRow {
  const own = all.get(name) as Found;
  const subresources = [...all].filter(([other]) => other.startsWith(`${name}/`)).sort(([a], [b]) => (a < b ? -1 : 1));
  const { shortNames, categories } = CORE_NAMES[name] ?? {};
  return {
    n: [name, own.kind?.kind.toLowerCase() ?? '', own.kind?.kind ?? ''],
    ns: own.namespaced ? 1 : 0,
    v: [...own.verbs].sort().join(' '),
    ...defined({ sn: shortNames, c: categories }),
    ...(subresources.length === 0
      ? {}
      : { s: subresources.map(([sub, it]) => coreSubresource(sub.slice(name.length + 1), it)) }),
  };
}

function coreSubresource(name: string, { kind, verbs }: Found): SubresourceRow {
  const foreign = kind?.group === '' ? { ...kind, version: '' } : kind;
  return subresourceRow(name, foreign as Gvk, [...verbs].sort());
}
