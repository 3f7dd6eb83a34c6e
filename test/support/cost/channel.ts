import { generateKeyPairSync } from 'node:crypto';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import { countingClient } from '#adapters/aws/dynamodb/counting-client.ts';
import { intercept, type Table } from '#adapters/aws/dynamodb/port.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { ADDRESS_TYPES, type Backends } from '#lib/server/channel/backends.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import { Relay } from '#lib/server/channel/gateway/relay.ts';
import { ServerTickets } from '#lib/server/channel/gateway/server-tickets.ts';
import { GatewayBench } from '#lib/server/channel/gateway/testing/bench.ts';
import type { HostileGateway } from '#lib/server/channel/gateway/testing/hostile-gateway.ts';
import { allOf, numbers } from '#lib/server/channel/testing/ends.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { EventClock } from '#test/support/event-clock.ts';
import { sum, type Tally } from '../../../scripts/cost/tally.ts';
import { Counter } from './counter.ts';

const DAY = 24 * 3_600_000;
/** The number of days that are counted, because connections are replaced at random. */
const DAYS = 10;
const MINUTE = 60_000;
/** The bytes of a request for a node's metrics, and of a response with a hundred containers. SCRAPES is the number of counted scrapes. */
const [ASKED, SCRAPED] = [300, 40_000];
const SCRAPES = 12;
const { privateKey: KEY } = generateKeyPairSync('ed25519');
const nobody = (): never => {
  throw new Error('no stream is opened to an idle node');
};

/** The backends of an API server that issues tickets to agents for a gateway. */
export function gatewayBackends(table: Table, clock: Clock): Backends {
  const connections = new TableConnections(table, { clock, cluster: DEFAULT_CLUSTER });
  let drawn = 0;
  const randomName = (): string => `ticket-${drawn++}`;
  const tickets = new ServerTickets({ clock, connections, url: 'wss://gateway/nodes', key: KEY, randomName });
  return {
    roundTripper: { send: nobody },
    preferredAddressTypes: ADDRESS_TYPES,
    isRouted: false,
    tickets: { issue: (node, hello) => tickets.issue(node, hello, nobody) },
    interests: connections,
  };
}

/**
 * Agents and servers around a simulated API Gateway. Each invocation of the relay is a cold start, because one node's messages are too rare
 * for a warm instance.
 */
class CountedChannel {
  readonly clock = new EventClock();
  readonly bench: GatewayBench;
  readonly #counter = new Counter();
  readonly #table: ReturnType<typeof countingClient>;

  constructor() {
    const { clock } = this;
    const random = numbers(1);
    const table = intercept(new MemoryTable(), (_, next) => clock.pace(next()));
    const recordsIn = (of: Table): TableConnections => new TableConnections(of, { clock, cluster: DEFAULT_CLUSTER });
    this.bench = new GatewayBench(clock, random, {}, recordsIn(table));
    this.#table = countingClient(table);
    const { gateway } = this.bench;
    const relay = (): Relay => {
      this.#counter.add('relay: invocations');
      return new Relay({ clock, connections: recordsIn(this.#table.table), posts: gateway.posts, random });
    };
    gateway.relays = [
      {
        connect: (...asked) => relay().connect(...asked),
        message: (...asked) => relay().message(...asked),
        disconnect: (...asked) => relay().disconnect(...asked),
      },
    ];
  }

  /** Everything that is billed for the work, and the number of connections that it made. Each connection uses one ticket. */
  async cost(work: () => Promise<unknown>): Promise<{ readonly tally: Tally; readonly connects: number }> {
    const { gateway } = this.bench;
    const before = billed(gateway);
    this.#counter.take();
    this.#table.reset();
    await work();
    const after = billed(gateway);
    this.#counter.addCalls('relay', this.#table.counts);
    const tally = sum([
      [1, this.#counter.take()],
      [1, after.tally],
      [-1, before.tally],
    ]);
    return { tally, connects: after.connects - before.connects };
  }
}

/** A day of an idle node's channel, including the cost of a ticket at the API server. */
export async function idleChannel(ofTicket: Tally): Promise<Tally> {
  const counted = new CountedChannel();
  const { bench, clock } = counted;
  const agent = bench.anAgent('n1');
  await bench.pass(DAY);
  const { tally, connects } = await counted.cost(() => bench.pass(DAYS * DAY));
  if (agent.states.length !== 1) throw new Error('the channel did not stand all the time');
  await clock.runUntil(agent.stop());
  bench.gateway.stop();
  return sum([
    [1 / DAYS, tally],
    [connects / DAYS, ofTicket],
  ]);
}

/** Responds to the request for the metrics of a node. */
async function answer(stream: ByteStream): Promise<void> {
  await stream.incoming[Symbol.asyncIterator]().next();
  await stream.write(Buffer.alloc(SCRAPED));
  stream.end();
}

/** A scrape of a node via its channel, once by a metrics API instance with an open connection, and once by one that must connect. */
export async function scrapes(): Promise<{ readonly warm: Tally; readonly cold: Tally }> {
  const counted = new CountedChannel();
  const { bench, clock } = counted;
  const agent = bench.anAgent('n1', undefined, (stream) => void answer(stream).catch(() => undefined));
  await bench.pass(MINUTE);
  const scrape = async (server = bench.server): Promise<void> => {
    const stream = await bench.open('n1', server);
    await stream.write(Buffer.alloc(ASKED));
    await allOf(stream);
    stream.end();
  };
  await clock.runUntil(scrape());
  const each = async (server: () => typeof bench.server): Promise<Tally> => {
    const { tally } = await counted.cost(async () => {
      for (let i = 0; i < SCRAPES; i++) {
        await clock.runUntil(scrape(server()));
        await bench.pass(MINUTE);
      }
    });
    const { tally: idle } = await counted.cost(() => bench.pass(SCRAPES * MINUTE));
    return sum([
      [1 / SCRAPES, tally],
      [-1 / SCRAPES, idle],
    ]);
  };
  const all = { warm: await each(() => bench.server), cold: await each(() => bench.aServer()) };
  await clock.runUntil(agent.stop());
  bench.gateway.stop();
  return all;
}

/** Everything that the gateway has billed so far, and the number of its connections, each of which used a ticket. */
function billed({ done, minutes }: HostileGateway): { readonly tally: Tally; readonly connects: number } {
  return { tally: { 'connection minutes': minutes, messages: done.frames + done.posts }, connects: done.connects };
}
