import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { convertV2ToV3 } from '#lib/api/openapi/convert-v2-to-v3.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { RemoteDocument, RemoteSpec } from '#lib/server/endpoints/aggregation.ts';
import type { Handler } from '#lib/server/endpoints/filters/filter.ts';
import { publishedResponse } from '#lib/server/endpoints/openapi/published-response.ts';
import { type AskPorts, ask } from './ask.ts';
import { keptAnswers } from './kept-answers.ts';
import type { RemoteSpecs } from './open-api-v2.ts';
import { DISCOVERY_TIMEOUT } from './proxy-handler.ts';
import type { RemoteService } from './remote-services.ts';

/** The user that requests document indexes, as in upstream. */
const USER = { name: 'system:aggregator', groups: [] };

const index = z.object({ paths: z.record(z.string(), z.object({ serverRelativeURL: z.string() })) });

/**
 * The URL of the group version's document in the index. Undefined if the index does not list it. A server without an index serves only v2.
 */
type Indexed = { readonly url: string | undefined } | { readonly isLegacy: true };

/** How to reach the documents of other servers. */
export interface DocumentPorts {
  /** Absent if no server can be reached. */
  readonly asks: AskPorts | undefined;
  readonly specs: RemoteSpecs;
  handlerOf(remote: RemoteService): Handler;
}

/**
 * Returns the OpenAPI v3 documents of other servers. Requests indexes when a client requests this server's index, and documents when a
 * client requests them. Uses only the document of the server's own group version. If a server has only v2, its document is converted from
 * v2.
 */
export function remoteDocuments({
  asks,
  specs,
  handlerOf,
}: DocumentPorts): (services: readonly RemoteService[]) => Promise<readonly RemoteDocument[]> {
  const answers = keptAnswers<Indexed>(asks?.clock, (remote) => {
    if (asks === undefined) throw new Error('no server is reached');
    return indexed(asks, remote);
  });
  return async (services) => {
    const found = await answers(services);
    const legacy = services.filter((_, i) => found[i] !== undefined && 'isLegacy' in found[i]);
    const old = new Map((await specs(legacy)).map((spec, i) => [legacy[i], spec]));
    return services.flatMap((remote, i) => {
      const one = found[i];
      if (one === undefined) return [];
      const path = `apis/${apiVersion(remote)}`;
      if ('isLegacy' in one) return converted(path, old.get(remote));
      return one.url === undefined ? [] : [{ path, serverRelativeURL: one.url, handle: handlerOf(remote) }];
    });
  };
}

async function indexed(ports: AskPorts, remote: RemoteService): Promise<Indexed> {
  const question = { path: '/openapi/v3', user: USER, accept: 'application/json', timeout: DISCOVERY_TIMEOUT };
  const { status, body } = await ask(ports, remote, question);
  if (status === 404) return { isLegacy: true };
  if (status !== 200) throw new Error(`the index of ${remote.name} has status ${status}`);
  const { paths } = index.parse(decodeJson(body).value);
  const path = `apis/${apiVersion(remote)}`;
  const url = Object.hasOwn(paths, path) ? paths[path]?.serverRelativeURL : undefined;
  return { url: url?.startsWith(`/openapi/v3/${path}`) === true ? url : undefined };
}

function converted(path: string, remote: RemoteSpec | undefined): RemoteDocument[] {
  if (remote === undefined) return [];
  const hash = createHash('sha512').update(remote.etag).digest('hex').toUpperCase();
  const text = async (): Promise<string> => encodeJson(convertV2ToV3(remote.spec(), 'Kubernetes'));
  const handle: Handler = ({ request }) => publishedResponse(request, { path, hash, text });
  return [{ path, serverRelativeURL: `/openapi/v3/${path}?hash=${hash}`, handle }];
}
