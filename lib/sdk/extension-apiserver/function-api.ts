import { createHash } from 'node:crypto';
import { encodeJson } from '#lib/machinery/json.ts';
import type { FunctionApi } from '#lib/server/aggregation/function-apis.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { apiResourceList, type DiscoveredResource } from '#lib/server/endpoints/discovery/resource-list.ts';
import type { Handler } from '#lib/server/endpoints/filters/filter.ts';
import { measuredStream } from '#lib/server/endpoints/metrics/measured-stream.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { appliedRequest, isApply } from './applied-request.ts';
import { type ApiConnector, connectEndpoint, declaredConnect } from './connect-endpoint.ts';
import type { AggregatedApiDeclaration, ResourceDeclaration } from './declaration.ts';
import { openApiOf } from './open-api.ts';
import type { Asked } from './scope.ts';

/** Forwards a request to the function that serves the API of this name. */
export type ApiInvoker = (name: string, request: ApiRequest, of: Asked) => Promise<ApiResponse>;

/**
 * The API of a function for the aggregation layer. All responses except objects are derived from the declaration. Without `connect`,
 * subresources that connect return 501.
 */
export function functionApi(
  declaration: AggregatedApiDeclaration,
  invoke: ApiInvoker,
  connect?: ApiConnector,
): FunctionApi {
  const { name, group, version, groupPriorityMinimum, versionPriority } = declaration;
  const discovered = { group, version, resources: declaration.resources.flatMap(resourcesOf) };
  const list = encodeJson(apiResourceList(discovered));
  const sessions = connectEndpoint(declaration, connect);
  const handle: Handler = async (context) => {
    const { request, info, user, watchStage } = context;
    if (!info.isResourceRequest && info.path.replace(/\/+$/, '').split('/').length === 4)
      return { status: 200, headers: { 'content-type': 'application/json' }, body: list };
    const declared = declaredConnect(declaration, info);
    if (declared !== undefined) return sessions(declared, context);
    watchStage?.('begun');
    const answer = isApply(request)
      ? await invoke(name, ...(await appliedRequest(context)))
      : await invoke(name, request, { info, user });
    const { body } = answer;
    if (watchStage === undefined || typeof body === 'string' || body instanceof Uint8Array) return answer;
    return { ...answer, body: measuredStream(body, () => watchStage('ended')) };
  };
  return {
    priorities: { groupPriorityMinimum, versionPriority },
    version: discovered,
    revision: createHash('sha256').update(JSON.stringify(declaration)).digest('hex'),
    document: () => openApiOf(declaration),
    handle,
  };
}

function resourcesOf(resource: ResourceDeclaration): DiscoveredResource[] {
  const { name, singularName, namespaced, kind, verbs, shortNames, categories, subresources } = resource;
  const below = subresources.map((one) => ({
    name: `${name}/${one.name}`,
    singularName: '',
    namespaced,
    kind,
    verbs: one.verbs,
  }));
  return [{ name, singularName, namespaced, kind, verbs, shortNames, categories }, ...below];
}
