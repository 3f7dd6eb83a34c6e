import { createHash } from 'node:crypto';
import { filterSpecByPaths, readSpec, type Spec, specObject } from '#lib/api/openapi/spec.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { RemoteSpec } from '#lib/server/endpoints/aggregation.ts';
import { Packed } from '#lib/server/endpoints/openapi/packed.ts';
import { type AskPorts, ask } from './ask.ts';
import { keptAnswers } from './kept-answers.ts';
import { DISCOVERY_TIMEOUT } from './proxy-handler.ts';
import type { RemoteService } from './remote-services.ts';

/** The user that requests documents, as in upstream. */
const USER = { name: 'system:aggregator', groups: [] };
/** The maximum number of fields and items of a document. */
const MAX_VALUES = 500_000;

/** The part of a server's document that concerns the group version. */
interface Kept {
  /** The server's ETag, or a hash of the bytes if it sends none. */
  readonly etag: string;
  readonly isOwn: boolean;
  readonly packed: Packed;
}

/**
 * Reads OpenAPI v2 documents of other servers when a client requests this server's document: upstream's specAggregator. Undefined for a
 * server without one.
 */
export type RemoteSpecs = (services: readonly RemoteService[]) => Promise<readonly (RemoteSpec | undefined)[]>;

/** Requests each server's document at most once a minute, with its previous ETag. */
export function remoteSpecs(ports: AskPorts | undefined): RemoteSpecs {
  const answers = keptAnswers<Kept>(ports?.clock, (remote, last) => {
    if (ports === undefined) throw new Error('no server is reached');
    return download(ports, remote, last);
  });
  const made = new WeakMap<Kept, RemoteSpec>();
  return async (services) => {
    const kept = await answers(services);
    return services.map(({ group, version }, i) => {
      const one = kept[i];
      if (one === undefined) return undefined;
      const spec = made.get(one) ?? { group, version, etag: one.etag, spec: () => specOf(one.packed.unpacked()) };
      made.set(one, spec);
      return spec;
    });
  };
}

/** Returns the services to merge, in upstream's order: by group priority, then by name. */
export function inMergeOrder(services: readonly RemoteService[]): readonly RemoteService[] {
  const priorities = new Map<string, number>();
  for (const { group, groupPriorityMinimum } of services)
    priorities.set(group, Math.max(priorities.get(group) ?? 0, groupPriorityMinimum));
  const of = ({ group }: RemoteService): number => priorities.get(group) ?? 0;
  return services.toSorted((a, b) => of(b) - of(a) || (a.name < b.name ? -1 : 1));
}

async function download(ports: AskPorts, remote: RemoteService, last: Kept | undefined): Promise<Kept> {
  const etag = last?.isOwn === false ? '' : (last?.etag ?? '');
  const question = { path: '/openapi/v2', user: USER, accept: 'application/json', timeout: DISCOVERY_TIMEOUT, etag };
  const reply = await ask(ports, remote, question);
  if (reply.status === 304 && last !== undefined) return last;
  if (reply.status !== 200) throw new Error(`the OpenAPI v2 document of ${remote.name} has status ${reply.status}`);
  const made = reply.etag || `"${createHash('sha512').update(reply.body).digest('hex')}"`;
  if (last?.etag === made) return last;
  const prefix = `/apis/${apiVersion(remote)}/`;
  const spec = filterSpecByPaths(specOf(reply.body), (path) => path.startsWith(prefix));
  return { etag: made, isOwn: reply.etag !== '', packed: new Packed(encodeJson(specObject(spec))) };
}

function specOf(body: Uint8Array): Spec {
  const { value } = decodeJson(body, { maxValues: MAX_VALUES });
  if (!isObject(value)) throw new Error('the OpenAPI v2 document is no object');
  return readSpec(value);
}
