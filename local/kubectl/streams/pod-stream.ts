import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { systemClock } from '#adapters/clock.ts';
import { connectGateway } from '#adapters/server/channel/connect-gateway.ts';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import { StreamClient } from '#lib/server/channel/gateway/stream-client.ts';
import {
  decodeStreamRoutes,
  decodeStreamTicket,
  type SpentTicket,
  type StreamRoutes,
} from '#lib/server/channel/gateway/stream-office.ts';
import {
  CONNECTION_HEADER,
  ROUTES,
  STREAM_HEADER,
  STREAM_PARAMETER,
  TICKET,
  TICKET_HEADER,
} from '#lib/server/endpoints/special/stream-ticket.ts';
import { type Asked, exchange, refusalOf, type Upgraded, type Way } from './exchange.ts';
import { tunnelOver } from './tunnel.ts';

const SPDY = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
/** The header that names the protocol inside SPDY. */
const PROTOCOL_HEADER = 'x-stream-protocol-version';

/** A pod's subresource, and the protocol of its stream inside SPDY. */
export interface Wanted {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly protocol: string;
}

/** An open connection to a pod's kubelet. */
export interface PodStream<T> {
  readonly connection: T;
  /** Resolves with the reason why the stream broke, if known. Resolves no sooner than the end of the stream. */
  readonly over: Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens exec, attach or port-forward. The server decides whether to upgrade the connection itself or issue a ticket for a gateway. Throws
 * StartFault.
 */
export async function openPodStream(api: Way, wanted: Wanted, signal: AbortSignal): Promise<PodStream<Duplex>> {
  const { path, query, protocol } = wanted;
  const headers = { ...SPDY, [PROTOCOL_HEADER]: protocol };
  const answer = messageIn(await exchange(api, { method: 'POST', path: askFor(path, query, TICKET) }));
  if (answer.statusCode === 200) {
    const gateway = await byGateway(api, { method: 'POST', path, query }, await json(answer), signal);
    try {
      const asked: Asked = { method: 'POST', path: gateway.path, headers };
      const upgraded = await exchange({ stream: gateway.stream }, asked);
      if (upgraded instanceof IncomingMessage) throw await refusalOf(upgraded);
      return { ...gateway, connection: upgraded.connection };
    } catch (error) {
      await gateway.close();
      throw error;
    }
  }
  if (answer.statusCode !== 405) throw await refusalOf(answer);
  answer.resume();
  const connection = await upgradedAt(api, `${path}?${String(query)}`, headers);
  const ended = new Promise<string>((resolve) =>
    connection.once('close', () => resolve(connection.errored?.message ?? '')),
  );
  return { connection, over: ended, close: async () => void connection.destroy() };
}

/** Opens a log in the same way. */
export async function openLog(
  api: Way,
  { path, query }: Pick<Wanted, 'path' | 'query'>,
  signal: AbortSignal,
): Promise<PodStream<Readable>> {
  const answer = messageIn(await exchange(api, { method: 'GET', path: askFor(path, query, TICKET) }));
  if (answer.statusCode !== 200 && answer.statusCode !== 204) throw await refusalOf(answer);
  if (answer.headers['content-type'] !== 'application/json')
    return { connection: answer, over: Promise.resolve(''), close: async () => void answer.destroy() };
  const gateway = await byGateway(api, { method: 'GET', path, query }, await json(answer), signal);
  const log = messageIn(await exchange({ stream: gateway.stream }, { method: 'GET', path: gateway.path }));
  if (log.statusCode === 200) return { ...gateway, connection: log };
  const refusal = await refusalOf(log);
  await gateway.close();
  throw refusal;
}

const askFor = (path: string, query: URLSearchParams, step: string): string =>
  `${path}?${String(new URLSearchParams([...query, [STREAM_PARAMETER, step]]))}`;

/** Opens plain SPDY, or SPDY inside a WebSocket if a load balancer forwards only WebSockets. */
async function upgradedAt(api: Way, path: string, headers: Readonly<Record<string, string>>): Promise<Duplex> {
  const spdy = await exchange(api, { method: 'POST', path, headers });
  if (!(spdy instanceof IncomingMessage)) return spdy.connection;
  if (spdy.statusCode !== 400) throw await refusalOf(spdy);
  const refusal = await refusalOf(spdy);
  const tunnel = await tunnelOver(api, path);
  if (tunnel === undefined) throw refusal;
  return tunnel;
}

interface GatewayStream {
  readonly stream: Duplex;
  /** The kubelet's path and query. */
  readonly path: string;
  readonly over: Promise<string>;
  close(): Promise<void>;
}

async function byGateway(
  api: Way,
  { method, path, query }: Pick<Wanted, 'path' | 'query'> & Pick<Asked, 'method'>,
  body: unknown,
  signal: AbortSignal,
): Promise<GatewayStream> {
  const ticket = decodeStreamTicket(body);
  const routes = async ({ ticket: spent, connection, stream }: SpentTicket): Promise<StreamRoutes> => {
    const headers = {
      [TICKET_HEADER]: spent,
      [CONNECTION_HEADER]: connection,
      [STREAM_HEADER]: String(stream),
    };
    const answer = messageIn(await exchange(api, { method, path: askFor(path, query, ROUTES), headers }));
    if (answer.statusCode !== 200) throw await refusalOf(answer);
    return decodeStreamRoutes(await json(answer));
  };
  const randomId = (): number => randomBytes(6).readUIntBE(0, 6);
  const ports = { clock: systemClock, connect: connectGateway, routes, randomId };
  const client = await StreamClient.connect(ticket, ports, signal);
  const opened = await client.open(signal).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  return { stream: duplexOf(opened), path: ticket.path, over: client.over, close: () => client.close(opened) };
}

function messageIn(answer: IncomingMessage | Upgraded): IncomingMessage {
  if (answer instanceof IncomingMessage) return answer;
  answer.connection.destroy();
  throw new Error('the server changed the protocol unasked');
}
