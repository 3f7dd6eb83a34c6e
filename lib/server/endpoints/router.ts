import { isBuiltInGroup } from '#lib/api/kinds.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { methodNotAllowed, methodNotSupported, noSuchPath, notFound } from '#lib/machinery/errors.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import type { Admission } from '#lib/server/registry/admission.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { Resources } from '#lib/server/registry/resources.ts';
import { subresourceOf } from '#lib/server/registry/rest/update.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import type { Aggregation } from './aggregation.ts';
import type { ApiResponse } from './api.ts';
import type { Handler } from './filters/filter.ts';
import { createHandler } from './handlers/create.ts';
import { deleteHandler } from './handlers/delete.ts';
import { deleteCollectionHandler } from './handlers/delete-collection.ts';
import { getHandler } from './handlers/get.ts';
import { listHandler } from './handlers/list.ts';
import type { ListBounds } from './handlers/list-bounds.ts';
import { patchHandler } from './handlers/patch.ts';
import { scaleHandler } from './handlers/scale.ts';
import { updateHandler } from './handlers/update.ts';
import { STREAMS, watchHandler } from './handlers/watch.ts';
import type { WatchBounds } from './handlers/watch-bounds.ts';
import type { WatchMetrics } from './metrics/watch-metrics.ts';
import { MEDIA_TYPES, refuseUnknownAccept } from './negotiate.ts';
import { pageNotFound } from './non-resource.ts';
import type { Scope } from './scope.ts';

type ResourceHandler = (scope: Scope) => Promise<ApiResponse>;

const VERBS: Readonly<Record<string, ResourceHandler>> = {
  create: createHandler,
  get: getHandler,
  list: listHandler,
  watch: watchHandler,
  update: updateHandler,
  patch: patchHandler,
  delete: deleteHandler,
  deletecollection: deleteCollectionHandler,
};

/** The verbs of a collection's path. The other verbs need a name. */
const ON_COLLECTION: ReadonlySet<string> = new Set(['create', 'list', 'deletecollection']);

/** Subresources that return the object itself and have their own write rules. */
const SELF: Readonly<Record<string, ResourceHandler>> = { get: getHandler, update: updateHandler, patch: patchHandler };
const FINALIZE: Readonly<Record<string, ResourceHandler>> = { update: updateHandler };
const SCALE: Readonly<Record<string, ResourceHandler>> = {
  get: (scope) => scaleHandler(scope, 'get'),
  update: (scope) => scaleHandler(scope, 'update'),
  patch: (scope) => scaleHandler(scope, 'patch'),
};

/**
 * Endpoints other than plain subresources of a stored kind: bindings, evictions, tokens, reviews. The keys are
 * `group/resource[/subresource]`.
 */
export type SpecialEndpoints = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** The resources and handlers to route to. */
export interface RouterPorts {
  readonly resources: Resources;
  /** Absent if no other server serves a group version. */
  readonly aggregation?: Aggregation;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly cluster: string;
  readonly nonResource: Handler;
  readonly special: SpecialEndpoints;
  readonly watches: WatchBounds;
  readonly lists: ListBounds;
  readonly watchMetrics: WatchMetrics;
}

/** Finds the handler of a request, like upstream's installed web services and the custom resource handler. */
export function router(ports: RouterPorts): Handler {
  return async (context) => {
    const { request, info } = context;
    const elsewhere = await ports.aggregation?.find(groupVersionOf(info));
    if (elsewhere !== undefined) return elsewhere(context);
    if (!info.isResourceRequest) return ports.nonResource(context);
    const special = ports.special[specialKey(info)];
    const act = special?.[info.verb];
    if (act !== undefined && (request.method !== 'HEAD' || info.subresource === 'proxy')) return act(context);
    const kept = info.name === '' || info.subresource !== '' || special?.['get'] !== undefined;
    if (special !== undefined && kept) throw methodNotAllowed();
    if (special !== undefined) return notServed(info);
    const definition = await ports.resources.find(info);
    if (definition === undefined || !fitsScope(definition, info) || info.rest.length > 0) return notServed(info);
    if (isOfNoNamespace(definition, info)) {
      if (definition.custom) return pageNotFound();
      throw methodNotAllowed();
    }
    return serve(ports, context, definition);
  };
}

/** Returns the group version above a path. Empty if the path has none. */
function groupVersionOf({ isResourceRequest, group, version, path }: RequestInfo): GroupVersion {
  if (isResourceRequest) return { group, version };
  const [, root, named = '', of = ''] = path.split('/');
  return root === 'apis' ? { group: named, version: of } : { group: '', version: '' };
}

function specialKey({ group, resource, subresource }: RequestInfo): string {
  return `${group}/${resource}${subresource === '' ? '' : `/${subresource}`}`;
}

/** A group of built-in kinds responds with the API's error text, any other path with the mux's. */
function notServed({ group }: RequestInfo): ApiResponse {
  if (isBuiltInGroup(group)) throw noSuchPath();
  return pageNotFound();
}

/** A path across all namespaces supports only list and watch, not create or deletecollection. */
const isOfNoNamespace = ({ namespaced }: ResourceDefinition, { namespace, verb }: RequestInfo): boolean =>
  namespaced && namespace === '' && verb !== 'list' && verb !== 'watch';

/** Cluster-scoped resources have no namespace. A single object of a namespaced resource requires its namespace in the path. */
function fitsScope({ namespaced }: ResourceDefinition, { namespace, name, resource }: RequestInfo): boolean {
  if (!namespaced) return namespace === '' || (resource === 'namespaces' && namespace === name);
  return namespace !== '' || name === '';
}

async function serve(ports: RouterPorts, given: RequestContext, definition: ResourceDefinition): Promise<ApiResponse> {
  const { request, outcome } = given;
  const context = definition.namespaced ? given : { ...given, info: { ...given.info, namespace: '' } };
  const { info } = context;
  // Upstream warns about a deprecated built-in kind in the route, so a request that matches no route gets no warning.
  if (definition.custom) warnOfDeprecation(definition, context);
  const { admission, cluster, clock, watches, lists, watchMetrics } = ports;
  const scope: Scope = {
    context,
    definition,
    admission,
    cluster,
    clock,
    watches,
    lists,
    watchMetrics,
  };
  const handler = handlerOf(definition, info, request.method);
  outcome.servedAs = info.subresource;
  if (!definition.custom) {
    refuseUnknownAccept(request, producedBy(info.verb));
    warnOfDeprecation(definition, context);
  }
  return handler(scope);
}

function warnOfDeprecation({ deprecationWarning }: ResourceDefinition, { warn, annotations }: RequestContext): void {
  if (deprecationWarning === undefined) return;
  warn(deprecationWarning);
  annotations.set('k8s.io/deprecated', 'true');
}

function handlerOf(definition: ResourceDefinition, info: RequestInfo, method: string): ResourceHandler {
  const { custom, resource } = definition;
  const verbs = info.subresource === '' ? VERBS : subresourceVerbs(definition, info);
  const reads = method === 'GET' || method === 'HEAD' || info.verb !== 'watch';
  const handler = (method === 'HEAD' && !custom) || !reads ? undefined : verbs[info.verb];
  const served =
    info.subresource !== '' || (definition.verbs.has(info.verb) && ON_COLLECTION.has(info.verb) === (info.name === ''));
  if (handler !== undefined && (served || info.verb === 'watch')) return handler;
  if (custom) throw methodNotSupported(resource, info.verb);
  throw methodNotAllowed();
}

function subresourceVerbs(
  definition: ResourceDefinition,
  { subresource, name }: RequestInfo,
): Readonly<Record<string, ResourceHandler>> {
  const { scale, hasStatus, resource, custom } = definition;
  if (subresource === 'scale' && scale !== undefined) return SCALE;
  if (subresource === 'status' && hasStatus) return SELF;
  if (subresourceOf(definition, subresource) !== undefined) return subresource === 'finalize' ? FINALIZE : SELF;
  throw custom ? notFound(resource, name) : noSuchPath();
}

/** Returns the media types that a verb of a built-in resource produces. Custom resources declare none. */
function producedBy(verb: string): readonly string[] {
  return verb === 'list' || verb === 'watch' ? [...MEDIA_TYPES, ...STREAMS] : MEDIA_TYPES;
}
