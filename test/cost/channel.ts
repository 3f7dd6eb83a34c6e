import { generateKeyPairSync } from 'node:crypto';
import { TableConnections } from '#adapters/dynamodb/connections.ts';
import { countingClient } from '#adapters/dynamodb/counting-client.ts';
import { intercept, type Table } from '#adapters/dynamodb/port.ts';
import { ADDRESS_TYPES, type Backends } from '#lib/channel/backends.ts';
import { Relay } from '#lib/channel/gateway/relay.ts';
import { ServerTickets } from '#lib/channel/gateway/server-tickets.ts';
import { GatewayBench } from '#lib/channel/gateway/testing/bench.ts';
import type { HostileGateway } from '#lib/channel/gateway/testing/hostile-gateway.ts';
import { numbers } from '#lib/channel/testing/ends.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { MemoryTable } from '#test/dynamodb-local/memory-table.ts';
import { EventClock } from '#test/event-clock.ts';
import { sum, type Tally } from '../../scripts/cost/tally.ts';
import { Counter } from './counter.ts';

const DAY = 24 * 3_600_000;
/** The days that are counted: connections are replaced at random. */
const DAYS = 10;
const { privateKey: KEY } = generateKeyPairSync('ed25519');
const nobody = (): never => {
  throw new Error('no stream is opened to an idle node');
};

/** The backends of an API server that gives agents tickets to a gateway. */
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
 * A day of an idle node's channel at the stand-in of API Gateway, with what a ticket costs at the API server. Each invocation of the relay has
 * a memory of its own: the messages of one node are too seldom for a warm one.
 */
export async function idleChannel(ofTicket: Tally): Promise<Tally> {
  const clock = new EventClock();
  const random = numbers(1);
  const counter = new Counter();
  const table = intercept(new MemoryTable(), (_, next) => clock.pace(next()));
  const recordsIn = (of: Table): TableConnections => new TableConnections(of, { clock, cluster: DEFAULT_CLUSTER });
  const bench = new GatewayBench(clock, random, {}, recordsIn(table));
  const { gateway } = bench;
  const { table: counted, counts, reset } = countingClient(table);
  const relay = (): Relay => {
    counter.add('relay: invocations');
    return new Relay({ clock, connections: recordsIn(counted), posts: gateway.posts, random });
  };
  gateway.relays = [
    {
      connect: (...asked) => relay().connect(...asked),
      message: (...asked) => relay().message(...asked),
      disconnect: (...asked) => relay().disconnect(...asked),
    },
  ];
  const agent = bench.anAgent('n1');
  await bench.pass(DAY);
  const before = billed(gateway);
  counter.take();
  reset();
  await bench.pass(DAYS * DAY);
  const after = billed(gateway);
  counter.addCalls('relay', counts);
  if (agent.states.length !== 1) throw new Error('the channel did not stand all the time');
  await clock.runUntil(agent.stop());
  gateway.stop();
  return sum([
    [1 / DAYS, counter.take()],
    [1 / DAYS, after.tally],
    [-1 / DAYS, before.tally],
    [(after.connects - before.connects) / DAYS, ofTicket],
  ]);
}

/** All that the gateway has billed so far, and how many connections it has taken: each by a ticket. */
function billed({ done, minutes }: HostileGateway): { readonly tally: Tally; readonly connects: number } {
  return { tally: { 'connection minutes': minutes, messages: done.frames + done.posts }, connects: done.connects };
}
