import { methodNotAllowed, StatusError } from '#lib/machinery/errors.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { toJsonObject } from '#lib/sdk/webhook-sdk/envelope.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { pageNotFound } from '#lib/server/endpoints/non-resource.ts';
import { respondJson } from './respond.ts';
import type { ResourceScope } from './scope.ts';
import type { SubresourceAnswer } from './storage.ts';

/** Handles a subresource of the author. Returns 501 for one that connects, because a plain request cannot carry a connection. */
export async function subresource(scope: ResourceScope): Promise<ApiResponse> {
  const { info, request, context, resource } = scope;
  const of = resource.subresources ?? {};
  const found = Object.hasOwn(of, info.subresource) ? of[info.subresource] : undefined;
  if (found === undefined || info.rest.length > 0) return pageNotFound();
  if (found.connect !== undefined) throw connectsNowhere(info.subresource);
  const { verbs = ['get'] } = found;
  if (!verbs.some((verb) => verb === info.verb)) throw methodNotAllowed();
  const { method, query } = request;
  const answer = await found.handle({ ...context, name: info.name, method, query, body: () => request.body() });
  if (!isStream(answer)) return respondJson(scope, toJsonObject(answer));
  const { contentType, body } = answer;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  return { status: 200, headers: { 'content-type': contentType }, body: isWhole ? body : bytesOf(body) };
}

type Streamed = Exclude<SubresourceAnswer, JsonObject>;

const isStream = (answer: SubresourceAnswer): answer is Streamed => {
  const { contentType, body } = answer;
  return typeof contentType === 'string' && (!isObject(body as never) || Symbol.asyncIterator in Object(body));
};

async function* bytesOf(body: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** The error of a subresource that connects, on platforms without connections such as an AWS account. */
export const connectsNowhere = (name: string): StatusError =>
  new StatusError(
    undefined,
    `the subresource ${name} switches protocols, which a function cannot; serve it by an API server of your own behind a Service`,
    {},
    501,
  );
