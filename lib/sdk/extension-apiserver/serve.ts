import { placeOf } from '#lib/client/controller/place-of.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { internalError, methodNotAllowed, StatusError } from '#lib/machinery/errors.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { pageNotFound } from '#lib/server/endpoints/non-resource.ts';
import { listOptions } from '#lib/server/endpoints/options.ts';
import { statusResponse } from '#lib/server/endpoints/status-response.ts';
import type { DefinedAggregatedApi } from './define-aggregated-api.ts';
import { listMeta, pageOf } from './pages.ts';
import { patch } from './patch.ts';
import { respondList, respondObject } from './respond.ts';
import { type AggregatedRequest, type ResourceScope, refuseOddNames, scopeOf, shownObject } from './scope.ts';
import { selection } from './selection.ts';
import { subresource } from './subresource.ts';
import { watch } from './watch.ts';
import { create, found, remove, removeCollection, update } from './writes.ts';

const VERBS: Readonly<Record<string, (scope: ResourceScope) => Promise<ApiResponse>>> = {
  get: async (scope) => respondObject(scope, shownObject(scope, await found(scope))),
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection,
};

/** Verbs for one object. Permissions may be limited to a name, so the body's name must never select the object. */
const NAMED: readonly string[] = ['update', 'patch'];

/** Handles a request to a path of the group version. Every error response is a Status. An unknown error is logged to the author's log. */
export async function serveAggregatedApi(api: DefinedAggregatedApi, given: AggregatedRequest): Promise<ApiResponse> {
  try {
    return await answer(api, given);
  } catch (error) {
    if (error instanceof StatusError) return statusResponse(error, given.request);
    const { verb, resource: of } = given.info;
    given.log.error(messageOfError(error), { verb, resource: of, at: placeOf(error) ?? '' });
    const { name } = api.declaration;
    return statusResponse(internalError(`the aggregated API ${name} failed; its log says why`), given.request);
  }
}

async function answer(api: DefinedAggregatedApi, given: AggregatedRequest): Promise<ApiResponse> {
  const { info } = given;
  const resource = api.resources.get(info.resource);
  if (!info.isResourceRequest || resource === undefined) return pageNotFound();
  const scope = scopeOf(api, resource, given);
  refuseOddNames(info);
  const { namespaced, verbs } = resource.declaration;
  if (namespaced ? info.namespace === '' && info.name !== '' : info.namespace !== '') return pageNotFound();
  if (info.subresource !== '') return subresource(scope);
  const act = VERBS[info.verb];
  if (act === undefined || !verbs.includes(info.verb)) throw methodNotAllowed();
  if (namespaced && info.namespace === '' && info.verb !== 'list' && info.verb !== 'watch') throw methodNotAllowed();
  if (info.name === '' ? NAMED.includes(info.verb) : info.verb === 'create') throw methodNotAllowed();
  return act(scope);
}

async function list(scope: ResourceScope): Promise<ApiResponse> {
  const options = listOptions(scope.request.query);
  const selects = selection(scope);
  const page = await pageOf(scope, options);
  const shown = page.items.map((one) => shownObject(scope, one)).filter(selects);
  return respondList(scope, shown, listMeta(page, options));
}
