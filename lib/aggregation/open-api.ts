import * as z from 'zod/mini';
import type { RemoteDocument } from '#lib/endpoints/aggregation.ts';
import type { Handler } from '#lib/endpoints/filters/filter.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { ask, type AskPorts } from './ask.ts';
import { DISCOVERY_TIMEOUT } from './proxy-handler.ts';
import type { RemoteService } from './remote-services.ts';

/** The user that asks for indexes of documents: upstream's. */
const USER = { name: 'system:aggregator', groups: [] };
/** Milliseconds until an index is asked for again: upstream's. */
const REFRESH = 60_000;

const index = z.object({ paths: z.record(z.string(), z.object({ serverRelativeURL: z.string() })) });

/** The state of one APIService. */
interface Known {
  readonly remote: RemoteService;
  /** As the server's index names the document of the group version; undefined where it has none. */
  url: string | undefined;
  /** Monotonic; when it was asked for. */
  at: number;
  asking: Promise<void> | undefined;
  /** Whether the first question is still open: all who ask wait for it. */
  isFirst: boolean;
}

/**
 * The OpenAPI v3 documents of other servers: indexes are asked for when ours is, documents when they are. Of a server only the
 * document of its group version counts. An index that is known is not waited for.
 */
export function remoteDocuments(
  ports: AskPorts | undefined,
  handlerOf: (remote: RemoteService) => Handler,
): (services: readonly RemoteService[]) => Promise<readonly RemoteDocument[]> {
  const known = new Map<string, Known>();
  const refresh = (entry: Known, { clock, ...rest }: AskPorts): Promise<void> => {
    entry.at = clock.monotonic();
    return urlOf({ clock, ...rest }, entry.remote)
      .then(
        (url) => void (entry.url = url),
        () => undefined, // a server that is down keeps the document that it had
      )
      .finally(() => {
        entry.asking = undefined;
        entry.isFirst = false;
      });
  };
  const documentOf = async (remote: RemoteService): Promise<RemoteDocument[]> => {
    if (ports === undefined || !remote.isAvailable) return [];
    const before = known.get(remote.name);
    const isSame = before?.remote === remote;
    const entry: Known = isSame
      ? before
      : { remote, url: before?.url, at: 0, asking: undefined, isFirst: before?.url === undefined };
    known.set(remote.name, entry);
    const isDue = !isSame || ports.clock.monotonic() - entry.at >= REFRESH;
    if (isDue && entry.asking === undefined) entry.asking = refresh(entry, ports);
    if (entry.isFirst) await entry.asking;
    const { url } = entry;
    return url === undefined
      ? []
      : [{ path: `apis/${apiVersion(remote)}`, serverRelativeURL: url, handle: handlerOf(remote) }];
  };
  return async (services) => {
    const names = new Set(services.map(({ name }) => name));
    for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    return (await Promise.all(services.map(documentOf))).flat();
  };
}

async function urlOf(ports: AskPorts, remote: RemoteService): Promise<string | undefined> {
  const question = { path: '/openapi/v3', user: USER, accept: 'application/json', timeout: DISCOVERY_TIMEOUT };
  const { status, body } = await ask(ports, remote, question);
  if (status !== 200) throw new Error(`the index of ${remote.name} has status ${status}`);
  const { paths } = index.parse(decodeJson(body).value);
  const path = `apis/${apiVersion(remote)}`;
  const url = Object.hasOwn(paths, path) ? paths[path]?.serverRelativeURL : undefined;
  return url?.startsWith(`/openapi/v3/${path}`) === true ? url : undefined;
}
