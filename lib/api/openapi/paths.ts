import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import { type ResourceFacts, resourcesOf, type SubresourceFacts } from '../kinds.ts';
import { capital, type OperationNames, operationNames } from './names.ts';
import { operation, STATUS, typeOfKind, WATCH_EVENT } from './operations.ts';
import { optionParameters, type Parameter, pathParameter, QUERY, queryParameter } from './parameters.ts';

/** An operation and its path. Its parameters are still separate from those of the path. */
interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
  readonly parameters: readonly Parameter[];
}

interface PathContext {
  readonly base: string;
  readonly names: OperationNames;
  readonly resource: ResourceFacts;
}

const METHODS: Readonly<Record<string, string>> = {
  get: 'get',
  list: 'get',
  watch: 'get',
  watchlist: 'get',
  post: 'post',
  put: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};
const ACTIONS: Readonly<Record<string, string>> = { create: 'post', update: 'put' };
const WORDS: Readonly<Record<string, string>> = {
  get: 'read',
  list: 'list',
  post: 'create',
  put: 'replace',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
  watch: 'watch',
  watchlist: 'watch',
};
const ON_COLLECTION: ReadonlySet<string> = new Set(['list', 'post', 'deletecollection']);

/** All paths of a group-version, as in its published document. */
export function pathsOf(groupVersion: GroupVersion): JsonObject {
  const { group, version } = groupVersion;
  const base = group === '' ? '/api/v1' : `/apis/${group}/${version}`;
  const names = operationNames(groupVersion);
  const placed = resourcesOf(groupVersion).flatMap((resource) => resourceOperations({ base, names, resource }));
  return { [`${base}/`]: discovery(names), ...assemble(placed) };
}

function discovery({ tag, groupVersion }: OperationNames): JsonObject {
  const {
    'x-kubernetes-action': _,
    'x-kubernetes-group-version-kind': __,
    ...get
  } = operation({
    id: `get${groupVersion}APIResources`,
    tag,
    action: 'get',
    kind: { group: '', version: 'v1', kind: 'APIResourceList' },
    answers: 'meta.v1.APIResourceList',
  });
  return { get };
}

function resourceOperations(place: PathContext): Placed[] {
  const { resource } = place;
  const actions = resource.verbs.filter((verb) => verb !== 'watch').map((verb) => ACTIONS[verb] ?? verb);
  const own = actions.map((action) => resourceOperation(place, action));
  return [
    ...own,
    ...(resource.namespaced && actions.includes('list') ? [forAllNamespaces(place, 'list')] : []),
    ...(resource.verbs.includes('watch') ? watches(place) : []),
    ...resource.subresources.flatMap((sub) => subresourceOperations(place, sub)),
  ];
}

const scoped = ({ base, resource }: PathContext, prefix = ''): string =>
  `${base}${prefix}${resource.namespaced ? '/namespaces/{namespace}' : ''}/${resource.resource}`;

const pathParameters = ({ resource }: PathContext, ...names: string[]): Parameter[] =>
  [...names, ...(resource.namespaced ? ['namespace'] : [])].map(pathParameter);

const queryParameters = (action: string): Parameter[] => [...(QUERY[action] ?? []), 'pretty'].map(queryParameter);

function operationId({ names, resource }: PathContext, action: string, suffix = ''): string {
  const collection = action === 'deletecollection' ? 'Collection' : '';
  const scope = resource.namespaced ? 'Namespaced' : '';
  return `${WORDS[action]}${names.groupVersion}${collection}${scope}${resource.kind}${suffix}`;
}

const listKind = (resource: ResourceFacts): string =>
  typeOfKind({ group: resource.group, version: resource.version, kind: `${resource.kind}List` });

function answerOf(resource: ResourceFacts, action: string): string {
  if (action === 'list') return listKind(resource);
  if (action === 'deletecollection' || (action === 'delete' && !resource.returnsDeleted)) return STATUS;
  return typeOfKind(resource);
}

function resourceOperation(place: PathContext, action: string): Placed {
  const { resource, names } = place;
  const named = !ON_COLLECTION.has(action);
  return {
    path: scoped(place) + (named ? '/{name}' : ''),
    method: METHODS[action] ?? action,
    operation: operation({
      id: operationId(place, action),
      tag: names.tag,
      action,
      kind: resource,
      answers: answerOf(resource, action),
      ...(action === 'post' || action === 'put' ? { takes: typeOfKind(resource) } : {}),
    }),
    parameters: [...pathParameters(place, ...(named ? ['name'] : [])), ...queryParameters(action)],
  };
}

function forAllNamespaces({ base, names, resource }: PathContext, action: 'list' | 'watchlist'): Placed {
  const listed = action === 'list';
  return {
    path: `${base}${listed ? '' : '/watch'}/${resource.resource}`,
    method: 'get',
    operation: operation({
      id: `${WORDS[action]}${names.groupVersion}${resource.kind}${listed ? '' : 'List'}ForAllNamespaces`,
      tag: names.tag,
      action,
      kind: resource,
      answers: listed ? listKind(resource) : WATCH_EVENT,
    }),
    parameters: queryParameters(action),
  };
}

/** The deprecated paths under `/watch`. */
function watches(place: PathContext): Placed[] {
  const { resource, names } = place;
  const watch = (action: 'watch' | 'watchlist'): Placed => ({
    path: scoped(place, '/watch') + (action === 'watch' ? '/{name}' : ''),
    method: 'get',
    operation: operation({
      id: operationId(place, action, action === 'watch' ? '' : 'List'),
      tag: names.tag,
      action,
      kind: resource,
      answers: WATCH_EVENT,
    }),
    parameters: [...pathParameters(place, ...(action === 'watch' ? ['name'] : [])), ...queryParameters(action)],
  });
  const everywhere = resource.namespaced ? [forAllNamespaces(place, 'watchlist')] : [];
  return [watch('watchlist'), watch('watch'), ...everywhere];
}

const CONNECTIONS: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);
const PROXY_METHODS = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];

function subresourceOperations(place: PathContext, sub: SubresourceFacts): Placed[] {
  if (sub.name === 'proxy') {
    return PROXY_METHODS.flatMap((method) => [connection(place, sub, method), connection(place, sub, method, 'path')]);
  }
  if (CONNECTIONS.has(sub.name)) return ['get', 'post'].map((method) => connection(place, sub, method));
  return sub.verbs.map((verb) => subresourceOperation(place, sub, ACTIONS[verb] ?? verb));
}

function subresourceOperation(place: PathContext, { name, kind }: SubresourceFacts, action: string): Placed {
  const { resource, names } = place;
  const log = name === 'log';
  return {
    path: `${scoped(place)}/{name}/${name}`,
    method: METHODS[action] ?? action,
    operation: operation({
      id: operationId(place, action, capital(name)),
      tag: names.tag,
      action,
      kind: log ? resource : kind,
      answers: log ? undefined : typeOfKind(kind),
      ...(action === 'post' || action === 'put' ? { takes: typeOfKind(kind) } : {}),
    }),
    parameters: [
      ...pathParameters(place, 'name'),
      ...queryParameters(action),
      ...(log ? optionParameters('core.v1.PodLogOptions') : []),
    ],
  };
}

function connection(place: PathContext, { name, kind }: SubresourceFacts, method: string, path?: 'path'): Placed {
  const { resource, names } = place;
  const scope = resource.namespaced ? 'Namespaced' : '';
  const suffix = path === undefined ? '' : 'WithPath';
  return {
    path: `${scoped(place)}/{name}/${name}${path === undefined ? '' : '/{path}'}`,
    method,
    operation: operation({
      id: `connect${names.groupVersion}${capital(method)}${scope}${resource.kind}${capital(name)}${suffix}`,
      tag: names.tag,
      action: 'connect',
      kind,
      answers: undefined,
    }),
    parameters: [
      ...pathParameters(place, 'name', ...(path === undefined ? [] : [path])),
      ...optionParameters(typeOfKind(kind)),
    ],
  };
}

/** Groups operations by path. Parameters that all operations of a path share move to the path. */
function assemble(placed: readonly Placed[]): JsonObject {
  const paths: JsonObject = {};
  for (const [path, operations] of Map.groupBy(placed, (it) => it.path)) {
    const shared = operations[0]?.parameters.filter((parameter) => operations.every((it) => has(it, parameter))) ?? [];
    const item: JsonObject = shared.length === 0 ? {} : { parameters: sorted(shared) };
    for (const { method, operation: made, parameters } of operations) {
      const own = parameters.filter((parameter) => !shared.some((it) => same(it, parameter)));
      item[method] = own.length === 0 ? made : { ...made, parameters: sorted(own) };
    }
    paths[path] = item;
  }
  return paths;
}

const same = (a: Parameter, b: Parameter): boolean => a.name === b.name && a.in === b.in;
const has = ({ parameters }: Placed, parameter: Parameter): boolean => parameters.some((it) => same(it, parameter));
const sorted = (parameters: readonly Parameter[]): Parameter[] =>
  parameters.toSorted((a, b) => (`${a.name} ${a.in}` < `${b.name} ${b.in}` ? -1 : 1));

/** The full names of all schemas that an operation refers to. */
export function referencesIn(value: Json, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) referencesIn(item, found);
  else if (isObject(value)) {
    const { $ref } = value;
    if (typeof $ref === 'string') found.add($ref.slice($ref.lastIndexOf('/') + 1));
    for (const field of Object.keys(value)) referencesIn(value[field] as Json, found);
  }
  return found;
}
