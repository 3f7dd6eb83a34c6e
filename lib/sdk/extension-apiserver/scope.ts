import type { Logger } from '#lib/client/controller/logger.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { badRequest, methodNotAllowed } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { toJsonObject } from '#lib/sdk/webhook-sdk/envelope.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import type { DefinedAggregatedApi, ServedResource } from './define-aggregated-api.ts';
import type { CallContext } from './storage.ts';

/** The information about a request that the API server has determined. */
export interface Asked {
  readonly info: RequestInfo;
  readonly user: User;
  /** Whether the user may create the object of a server-side apply. Absent means no. */
  readonly mayCreate?: boolean;
}

/** An authenticated and authorized request to an aggregated API. */
export interface AggregatedRequest extends Asked {
  readonly request: Pick<ApiRequest, 'method' | 'query' | 'headers' | 'body' | 'signal' | 'upgrade'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A request whose resource has been resolved. */
export interface ResourceScope extends AggregatedRequest {
  readonly api: DefinedAggregatedApi;
  readonly resource: ServedResource;
  readonly context: CallContext;
}

/** The scope of a request for a resource. */
export function scopeOf(api: DefinedAggregatedApi, resource: ServedResource, given: AggregatedRequest): ResourceScope {
  const { user, log, request } = given;
  return { ...given, api, resource, context: { namespace: given.info.namespace, user, log, signal: request.signal() } };
}

/** Returns a method of the storage. Throws 405 if the author does not implement it. */
export function method<K extends keyof ServedResource['storage']>(
  { resource: { storage } }: ResourceScope,
  name: K,
): NonNullable<ServedResource['storage'][K]> {
  const found = storage[name];
  if (found === undefined) throw methodNotAllowed();
  return found.bind(storage) as NonNullable<ServedResource['storage'][K]>;
}

/** The group and resource for error messages. */
export const groupResource = ({ api, resource }: ResourceScope) => ({
  group: api.declaration.group,
  resource: resource.declaration.name,
});

/** An author's object as JSON, with its kind. */
export const shownObject = ({ api, resource }: ResourceScope, object: KubernetesObject): JsonObject => ({
  ...toJsonObject(object),
  kind: resource.declaration.kind,
  apiVersion: apiVersion(api.declaration),
});

/** A decoded object with the author's type. The schema has already accepted it. */
export const authored = (object: JsonObject): KubernetesObject => object as unknown as KubernetesObject;

/** A list of the kind. */
export const listOf = (
  { api: { declaration: of }, resource: { declaration } }: ResourceScope,
  items: readonly JsonObject[],
  metadata: JsonObject,
): JsonObject => ({
  kind: `${declaration.kind}List`,
  apiVersion: `${of.group}/${of.version}`,
  metadata,
  items: [...items],
});

/** Throws 400 for a name or namespace that is not a valid path segment, because an author may use it as a file name. */
export function refuseOddNames({ namespace, name }: Pick<RequestInfo, 'namespace' | 'name'>): void {
  for (const one of [namespace, name]) {
    const faults = pathSegmentName(one, false);
    if (faults.length > 0) throw badRequest(`Name parameter invalid: ${quote(one)}: ${faults.join(';')}`);
  }
}
