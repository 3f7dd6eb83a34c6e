import { createHash } from 'node:crypto';
import { readSpec } from '#lib/api/openapi/spec.ts';
import { swaggerPart } from '#lib/api/openapi/v2.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { RemoteDocument, RemoteSpec } from '#lib/server/endpoints/aggregation.ts';
import { publishedResponse } from '#lib/server/endpoints/openapi/published-response.ts';
import type { FunctionApi } from './function-apis.ts';

/** Returns the OpenAPI v3 document of a function's group version. */
export function functionDocument({ version, revision, document }: FunctionApi): RemoteDocument {
  const path = `apis/${apiVersion(version)}`;
  const hash = createHash('sha512').update(`${path}@${revision}`).digest('hex').toUpperCase();
  const published = { path, hash, text: async () => encodeJson(document()) };
  return {
    path,
    serverRelativeURL: `/openapi/v3/${path}?hash=${hash}`,
    handle: ({ request }) => publishedResponse(request, published),
  };
}

/** Returns the same document in OpenAPI v2. */
export const functionSpec = ({ version: { group, version }, revision, document }: FunctionApi): RemoteSpec => ({
  group,
  version,
  etag: revision,
  spec: () => readSpec({ ...swaggerPart(document()) }),
});
