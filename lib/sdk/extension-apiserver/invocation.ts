import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { Asked } from './scope.ts';

const strings = z.array(z.string());
const user = z.object({
  name: z.string(),
  groups: strings,
  uid: z.exactOptional(z.string()),
  extra: z.exactOptional(z.record(z.string(), strings)),
});
const info = z.object({
  isResourceRequest: z.boolean(),
  path: z.string(),
  verb: z.string(),
  group: z.string(),
  version: z.string(),
  namespace: z.string(),
  resource: z.string(),
  subresource: z.string(),
  name: z.string(),
  rest: strings,
});
/** The payload that invokes a function in an AWS account with a request: plain JSON. */
const invocation = z.object({
  method: z.string(),
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  /** The body in base64. */
  body: z.string(),
  info,
  user,
  mayCreate: z.exactOptional(z.boolean()),
});

/** Serializes a request, including its whole body. Throws StatusError (413) if the body is too large. */
export async function encodeInvocation(
  request: Pick<ApiRequest, 'method' | 'query' | 'headers' | 'body'>,
  of: Asked,
): Promise<Uint8Array> {
  const { method, query, headers } = request;
  const body = Buffer.from(await request.body()).toString('base64');
  return Buffer.from(JSON.stringify({ method, query: query.toString(), headers, body, ...of }));
}

/** Parses a request that `encodeInvocation` wrote. Throws TypeError with one line that names all errors. */
export function decodeInvocation(value: unknown): Asked & {
  readonly request: Pick<ApiRequest, 'method' | 'query' | 'headers' | 'body'>;
} {
  const read = invocation.safeParse(value);
  if (!read.success) throw new TypeError(`request to an aggregated API: ${issuesText(read.error.issues)}`);
  const { method, query, headers, body, ...of } = read.data;
  return {
    ...of,
    request: { method, query: new URLSearchParams(query), headers, body: async () => Buffer.from(body, 'base64') },
  };
}
