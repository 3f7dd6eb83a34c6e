import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { decodeYaml, YamlError } from '#lib/machinery/yaml.ts';
import type { Attributes } from '#lib/server/authorization/authorizer.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/** Returns path and query as sent, or rebuilds them if the platform has split them. */
export function uriOf({ uri, path, query }: ApiRequest): string {
  return uri ?? (query.size === 0 ? path : `${path}?${query}`);
}

const CUT = '...TRUNCATED';

/** Cuts a client's text to a maximum number of characters and appends a mark. */
export const bounded = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length) + CUT : text;

const MAX_USER_AGENT = 1024;

/** Returns the user agent, cut to a bounded length. */
export const userAgentOf = ({ headers }: ApiRequest): string => bounded(headers['user-agent'] ?? '', MAX_USER_AGENT);

/** Returns the event's objectRef. It also has the empty fields that the object may set later. Undefined for a non-resource request. */
export function objectReference(info: Attributes): JsonObject | undefined {
  if (!info.isResourceRequest) return undefined;
  const { resource, namespace, name, group: apiGroup, version: apiVersion, subresource } = info;
  return { resource, namespace, name, uid: '', apiGroup, apiVersion, resourceVersion: '', subresource };
}

/** Returns the reference without empty fields, as events contain it. */
export function eventReference(reference: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(reference).filter(([, value]) => value !== ''));
}

/** Returns a patch as JSON text. Undefined if it is neither JSON nor YAML. (Upstream loses the events of an apply in YAML.) */
export function patchText(bytes: Uint8Array): string | undefined {
  try {
    return encodeJson(decoded(bytes));
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof YamlError) return undefined;
    throw error;
  }
}

function decoded(bytes: Uint8Array): Json {
  const first = String.fromCharCode(bytes[0] ?? 0);
  return first === '{' || first === '[' ? decodeJson(bytes).value : decodeYaml(bytes).value;
}
