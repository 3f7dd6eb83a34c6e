import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiConnection, type Remote } from '#adapters/server/http/api-connection.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { ownerOf } from '../data-directory.ts';
import { ifCode } from '../if-code.ts';
import { ageText } from '../kubectl/time-text.ts';
import { placeAt } from '../run/kubeconfig-place.ts';

/** The time-out in ms, so that a server that does not respond cannot block `davit status`. */
const TIMEOUT_MS = 5000;

/** The state of the server of a data directory. */
export interface ServerStatus {
  readonly pid: string;
  /** When the process locked the data directory. */
  readonly since?: Date;
  readonly directory: string;
  /** Undefined until the server has written one. */
  readonly kubeconfig?: string;
  readonly url?: string;
  readonly version?: string;
  /** Undefined if the server is ready; otherwise the reason why it is not. */
  readonly notReady?: string;
}

/**
 * Requests the status of the server that uses the directory; undefined if no server does. Throws StartFault if its kubeconfig cannot be
 * read.
 */
export async function serverStatus(directory: string): Promise<ServerStatus | undefined> {
  const owner = await ownerOf(directory);
  if (owner === undefined) return undefined;
  const { pid, isServer, since } = owner;
  const known = { pid, directory, ...(since === undefined ? {} : { since }) };
  if (!isServer) return { ...known, notReady: 'the process is not a server, but a command that uses the data' };
  const path = join(directory, 'kubeconfig');
  if ((await stat(path).catch(ifCode('ENOENT'))) === undefined) return { ...known, notReady: 'it is starting' };
  const { remote } = await placeAt(path);
  return { ...known, kubeconfig: path, url: remote.url, ...(await answersOf(remote)) };
}

async function answersOf(remote: Remote): Promise<Pick<ServerStatus, 'version' | 'notReady'>> {
  using connection = new ApiConnection(remote);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const get = (path: string) =>
    connection.handle({
      method: 'GET',
      path,
      query: new URLSearchParams(),
      headers: {},
      body: async () => new Uint8Array(),
      signal: () => signal,
    });
  try {
    const [version, ready] = await Promise.all([get('/version'), get('/readyz')]);
    const gitVersion = stringAt(JSON.parse(String(version.body)) as JsonObject, 'gitVersion');
    const failed = String(ready.body).match(/^\[-\].*$/gm) ?? [`readyz answers ${ready.status}`];
    return {
      ...(gitVersion === undefined ? {} : { version: gitVersion }),
      ...(ready.status === 200 ? {} : { notReady: failed.join(', ') }),
    };
  } catch (error) {
    return { notReady: signal.aborted ? `no answer in ${TIMEOUT_MS / 1000} s` : messageOfError(error) };
  }
}

/** The status for a terminal. `now` is in milliseconds since 1970. */
export function statusText({ pid, since, directory, ...status }: ServerStatus, now: number): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Process', pid],
    ['Address', status.url],
    ['Version', status.version],
    ['Uptime', since === undefined ? undefined : ageText(now - since.getTime())],
    ['Ready', status.notReady === undefined ? 'yes' : `no: ${status.notReady}`],
    ['Kubeconfig', status.kubeconfig],
    ['Data', directory],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : `${name.padEnd(12)}${value}\n`)).join('');
}
