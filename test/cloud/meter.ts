import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { itemBytes } from '#adapters/aws/dynamodb/counting-client.ts';
import type { Item } from '#adapters/aws/dynamodb/port.ts';
import { readUnits } from '#test/support/dynamodb-local/capacity.ts';
import { onLoopback } from '#test/support/loopback.ts';

/** Calls to a table and their units, and the number of calls by kind: `PutItem log: 12`. */
export interface Metered {
  readUnits: number;
  writeUnits: number;
  readonly calls: Map<string, number>;
}

interface Call {
  readonly ConsistentRead?: boolean;
  readonly ProjectionExpression?: string;
  readonly FilterExpression?: string;
}

/** Items in wire form, with bytes as base64. */
type WireItem = Readonly<Record<string, { readonly S?: string; readonly N?: string; readonly B?: string }>>;

interface Answer {
  readonly Item?: WireItem;
  readonly Items?: readonly WireItem[];
  readonly ConsumedCapacity?: { readonly CapacityUnits: number };
}

const PREFIX = 'DynamoDB_20120810.';
const READS = ['GetItem', 'Query'];
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem'];
/** Headers that are not forwarded. */
const OF_CONNECTION = ['host', 'content-length', 'connection'];

const nothing = (): Metered => ({ readUnits: 0, writeUnits: 0, calls: new Map() });

function sizeOf(wire: WireItem): number {
  const values = Object.entries(wire).map(([name, { S, N, B }]): [string, Item[string]] => [
    name,
    B === undefined ? { S: `${S ?? ''}${N ?? ''}` } : { B: Buffer.from(B, 'base64') },
  ]);
  return itemBytes(Object.fromEntries(values));
}

/**
 * A proxy for an emulator's DynamoDB that counts the units of all calls. It counts reads by the size of the items read, because the
 * emulator bills every read as one item of 4 KB. It counts writes as the emulator bills them, by the larger of the item before and after.
 * It cuts the connection of a call that it cannot count.
 */
export async function startMeter() {
  const behind = Promise.withResolvers<string>();
  let metered = nothing();
  let last = performance.now();
  const ask = async (body: string, headers: IncomingHttpHeaders) => {
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !OF_CONNECTION.includes(name) ? [[name, value]] : [],
    );
    const answer = await fetch(await behind.promise, { method: 'POST', headers: Object.fromEntries(sent), body });
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
  };
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    last = performance.now();
    const { headers } = incoming;
    const body = (await buffer(incoming)).toString();
    const operation = String(headers['x-amz-target']).replace(PREFIX, '');
    const call = JSON.parse(body) as Call;
    const isWrite = WRITES.includes(operation);
    if (!isWrite && !READS.includes(operation)) throw new TypeError(`units of ${operation} are unknown`);
    const answer = await ask(isWrite ? JSON.stringify({ ...call, ReturnConsumedCapacity: 'TOTAL' }) : body, headers);
    if (isWrite) metered.writeUnits += (JSON.parse(answer.text) as Answer).ConsumedCapacity?.CapacityUnits ?? 1;
    else
      metered.readUnits += readUnits(
        await bytesRead(call, answer.text, (whole) => ask(whole, headers)),
        call.ConsistentRead,
      );
    const kind = `${operation} ${/"S":"([\w-]+)\//.exec(body)?.[1] ?? 'other'}`;
    metered.calls.set(kind, (metered.calls.get(kind) ?? 0) + 1);
    last = performance.now();
    outgoing.writeHead(answer.status, { 'content-type': answer.type }).end(answer.text);
  };
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const { port, close } = await onLoopback(server);
  return {
    /** The environment that makes the functions of an emulator with this endpoint use the metered table. */
    before(endpoint: string): Readonly<Record<string, string>> {
      behind.resolve(endpoint);
      return { AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}` };
    },
    /** Returns the counts since the last call. */
    take(): Metered {
      const taken = metered;
      metered = nothing();
      return taken;
    },
    /** Milliseconds since the last call or response. */
    silence: () => performance.now() - last,
    close,
  };
}

/** Counts the requests to a table. */
export type Meter = Awaited<ReturnType<typeof startMeter>>;

/** The number of bytes read. A query with a filter or a projection is repeated without them. */
async function bytesRead(call: Call, text: string, ask: (body: string) => Promise<{ text: string }>): Promise<number> {
  const { ProjectionExpression: projection, FilterExpression: filter, ...whole } = call;
  const isPart = projection !== undefined || filter !== undefined;
  const { Item: item, Items: items = [] } = JSON.parse(
    isPart ? (await ask(JSON.stringify(whole))).text : text,
  ) as Answer;
  return [...items, ...(item === undefined ? [] : [item])].reduce((sum, one) => sum + sizeOf(one), 0);
}
