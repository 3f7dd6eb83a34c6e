import { defined } from '#lib/machinery/defined.ts';
import { StatusError, type StatusReason } from '#lib/machinery/errors.ts';
import { encodeJson, parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { apiVersion, type GroupVersionResource } from '#lib/machinery/schema.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApplyOptions, Client, DeleteRequest, ListOptions, ObjectRef } from './client.ts';

/** The server that a client calls, and the identity in its requests. */
export interface ApiClientOptions {
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Default none: the handler then determines the caller itself. */
  readonly token?: string;
  /** The user to impersonate, if the token's user is allowed to. */
  readonly as?: string;
  /** The user agent. It is also recorded as the manager of the fields that this client writes. */
  readonly userAgent: string;
}

const JSON_TYPE = 'application/json';
const NEVER = new AbortController().signal;

/** A client of a server in this process. It sends the same requests as over HTTPS, but without a network. */
export function apiClient(options: ApiClientOptions): Client {
  const send = (method: string, target: string, body?: JsonObject, contentType = JSON_TYPE) =>
    sendRequest(options, { method, target, accept: JSON_TYPE, contentType, ...defined({ body }) });
  return {
    get: (ref, { cached = false } = {}) =>
      send('GET', `${pathOf(ref)}${cached ? '?resourceVersion=0' : ''}`).catch(undefinedIfNotFound),
    async list(resource, selection = {}) {
      const list = await send('GET', `${collectionPath(resource, selection.namespace ?? '')}?${listQuery(selection)}`);
      const kind = (stringAt(list, 'kind') ?? '').replace(/List$/, '');
      return arrayAt(list, 'items')
        .filter(isObject)
        .map((item) => ({ kind, apiVersion: apiVersion(resource), ...item }));
    },
    create: (resource, object, subresource) => send('POST', creationPath(resource, object, subresource), object),
    update: (ref, object, subresource) => send('PUT', pathOf(ref, subresource), object),
    patch: (ref, patch, subresource) => send('PATCH', pathOf(ref, subresource), patch, 'application/merge-patch+json'),
    apply: (ref, object, apply) =>
      send('PATCH', `${pathOf(ref, apply.subresource)}?${applyQuery(apply)}`, object, 'application/apply-patch+yaml'),
    delete: async (ref, asked = {}) => void (await send('DELETE', pathOf(ref), deleteOptions(asked))),
    document: (path, accept) => sendRequest(options, { method: 'GET', target: path, accept: accept ?? JSON_TYPE }),
  };
}

function listQuery({ labelSelector = '', fieldSelector = '', cached = false }: ListOptions): string {
  return new URLSearchParams({ labelSelector, fieldSelector, ...(cached ? { resourceVersion: '0' } : {}) }).toString();
}

const applyQuery = ({ fieldManager, force = false }: ApplyOptions): string =>
  new URLSearchParams({ fieldManager, ...(force ? { force: 'true' } : {}) }).toString();

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof StatusError && error.reason === 'NotFound' && error.details?.name !== undefined)
    return undefined;
  throw error;
}

/** The path of a resource's collection. The namespace '' means all namespaces. */
export function collectionPath(resource: GroupVersionResource, namespace: string): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  return `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${resource.resource}`;
}

function pathOf({ resource, namespace, name }: ObjectRef, subresource?: string): string {
  return `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}${subresource === undefined ? '' : `/${subresource}`}`;
}

const creationPath = (resource: GroupVersionResource, object: JsonObject, subresource?: string): string =>
  subresource === undefined
    ? collectionPath(resource, namespaceOf(object))
    : pathOf({ resource, namespace: namespaceOf(object), name: nameOf(object) }, subresource);

function deleteOptions({ uid, resourceVersion, propagationPolicy, gracePeriodSeconds }: DeleteRequest): JsonObject {
  const preconditions: JsonObject = {
    ...defined({ uid, resourceVersion }),
  };
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    preconditions,
    ...defined({ propagationPolicy, gracePeriodSeconds }),
  };
}

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly accept: string;
  readonly body?: JsonObject;
  readonly contentType?: string;
}

/** Sends a request and returns the JSON document in the response. Throws StatusError with the server's response. */
export async function sendRequest(
  { handle, token, as, userAgent }: ApiClientOptions,
  { method, target, accept, body, contentType = JSON_TYPE }: Sent,
): Promise<JsonObject> {
  const [path = '', query = ''] = target.split('?');
  const bytes = body === undefined ? new Uint8Array() : Buffer.from(encodeJson(body));
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...defined({ 'impersonate-user': as }),
    accept,
    'content-type': contentType,
    'user-agent': userAgent,
  };
  const response = await handle({
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    body: async () => bytes,
    signal: () => NEVER,
  });
  if (response.status >= 300) throw await faultOf(response);
  return decoded(response);
}

/** The error of an unsuccessful response. */
export const faultOf = async (response: ApiResponse): Promise<StatusError> =>
  statusError(await decoded(response), response.status);

async function decoded({ body, status }: ApiResponse): Promise<JsonObject> {
  const text = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : await whole(body);
  if (status >= 300 && text[0] !== 0x7b) return { message: Buffer.from(text).toString().trim() };
  const value = parseStored(text);
  if (!isObject(value)) throw new TypeError('the server answered no object');
  return value;
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function statusError(status: JsonObject, code: number): StatusError {
  const reason = (stringAt(status, 'reason') ?? (code === 404 ? 'NotFound' : undefined)) as StatusReason | undefined;
  return new StatusError(reason, stringAt(status, 'message') ?? '', objectAt(status, 'details') ?? {}, code);
}
