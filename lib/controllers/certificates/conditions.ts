import type { ObjectChange } from '#lib/controller/reconciler.ts';
import { setField, stringAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

export const REQUESTS = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };

/** The names of requests that changed. */
export const changedRequests = ({ type, group, resource, name }: ObjectChange): readonly string[] =>
  group === REQUESTS.group && resource === REQUESTS.resource && type !== 'DELETED' ? [name] : [];

export const conditionsOf = (request: JsonObject): JsonObject[] => items(objectAt(request, 'status'), 'conditions');

export const has = (request: JsonObject, type: string): boolean =>
  conditionsOf(request).some((one) => text(one, 'type') === type && text(one, 'status') === 'True');

export const isIssued = (request: JsonObject): boolean =>
  (stringAt(objectAt(request, 'status'), 'certificate') ?? '') !== '';

/** The request with more in its status. */
export function withStatus(request: JsonObject, field: string, value: JsonObject[string]): JsonObject {
  const status = { ...objectAt(request, 'status') };
  setField(status, field, value);
  return { ...request, status };
}

export const withCondition = (request: JsonObject, condition: JsonObject): JsonObject =>
  withStatus(request, 'conditions', [...conditionsOf(request), { status: 'True', ...condition }]);

/** The PEM of what is asked for. */
export const requestPem = (request: JsonObject): string =>
  Buffer.from(stringAt(objectAt(request, 'spec'), 'request') ?? '', 'base64').toString('latin1');
