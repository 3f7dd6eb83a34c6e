import { generateKeyPairSync } from 'node:crypto';
import type { EventClock } from '#test/support/event-clock.ts';
import { type ChannelState, runAgentChannel } from '../../agent-channel.ts';
import type { ByteStream } from '../../byte-stream.ts';
import type { Grant } from '../../grant.ts';
import type { AgentHello } from '../../hello.ts';
import { echo } from '../../testing/ends.ts';
import type { Connections } from '../connections.ts';
import { GatewayChannels } from '../gateway-channels.ts';
import { Relay } from '../relay.ts';
import { ServerTickets } from '../server-tickets.ts';
import { StreamClient } from '../stream-client.ts';
import type { StreamAsked, StreamTicket } from '../stream-office.ts';
import { StreamTickets } from '../stream-tickets.ts';
import { type GatewayWeather, HostileGateway } from './hostile-gateway.ts';
import { MemoryConnections } from './memory-connections.ts';

const NEVER = new AbortController().signal;
/** The number of relay processes. */
const RELAYS = 8;
/** The duration in ms of a request to the API server. */
const REQUEST = 20;

export interface BenchAgent {
  readonly states: ChannelState[];
  readonly accepted: { readonly grant: Grant; readonly stream: ByteStream }[];
  stop(): Promise<void>;
}

/** An API server with its own memory. */
export interface BenchServer {
  readonly channels: GatewayChannels;
  readonly tickets: ServerTickets;
  readonly streams: StreamTickets;
}

const { privateKey: KEY } = generateKeyPairSync('ed25519');

/** Jane's exec in a container on the node. */
export const aStream = (node: string): StreamAsked => ({
  node,
  port: 10_250,
  purpose: { verb: 'exec', podUID: 'p', container: 'c', user: 'jane' },
  path: '/exec/default/web/c?command=ls&output=1',
});

/** Agents and API servers around a hostile gateway, in one process. */
export class GatewayBench {
  readonly clock: EventClock;
  readonly random: () => number;
  readonly connections = new MemoryConnections();
  readonly gateway: HostileGateway;
  readonly key = KEY;
  readonly server: BenchServer;
  readonly #records: Connections;
  #names = 0;

  /** `records` replaces the in-memory store of connections. */
  constructor(clock: EventClock, random: () => number, weather: Partial<GatewayWeather> = {}, records?: Connections) {
    this.clock = clock;
    this.random = random;
    this.gateway = new HostileGateway({ clock, random }, weather);
    this.#records = records ?? this.connections;
    const connections = this.#records;
    const { gateway } = this;
    const ports = { clock, connections, posts: gateway.posts, random };
    gateway.relays = Array.from({ length: RELAYS }, () => new Relay(ports));
    this.server = this.aServer();
  }

  aServer(): BenchServer {
    const { clock, gateway, random } = this;
    const connections = this.#records;
    const randomName = (): string => `name-${this.#names++}`;
    const tickets = new ServerTickets({
      clock,
      connections,
      url: 'wss://gateway/nodes',
      features: ['looks'],
      key: KEY,
      randomName,
    });
    const channels = new GatewayChannels({
      clock,
      connections,
      posts: gateway.posts,
      connect: gateway.connect,
      tickets,
      randomId: () => Math.floor(random() * 2 ** 48),
      randomName,
    });
    return { channels, tickets, streams: new StreamTickets({ clock, connections, tickets, randomName }) };
  }

  /** Starts an agent that echoes all input. */
  anAgent(
    node: string,
    instance: AgentHello['instance'] = { key: `key of ${node}`, machineId: node, bootId: 'b' },
    accept: (stream: ByteStream) => void | Promise<void> = (stream) => void echo(stream).catch(() => undefined),
  ): BenchAgent {
    const { clock, gateway, random } = this;
    const states: ChannelState[] = [];
    const accepted: { grant: Grant; stream: ByteStream }[] = [];
    const ending = new AbortController();
    const hello = { session: `agent-${this.#names++}`, instance };
    const running = runAgentChannel(
      {
        clock,
        node,
        hello,
        random,
        gateway: {
          ticket: async () => {
            await clock.sleep(REQUEST);
            const { tickets, channels } = this.server;
            const answer = await tickets.issue(node, { ...hello, version: 1, features: [] }, (record) =>
              channels.answers(record),
            );
            await clock.sleep(REQUEST);
            return answer;
          },
          connect: gateway.connect,
        },
        connect: () => Promise.reject(new Error('the server takes no connections')),
        accept(grant, stream) {
          accepted.push({ grant, stream });
          return accept(stream);
        },
        ring: () => undefined,
        report: (state) => void states.push(state),
      },
      ending.signal,
    );
    return {
      states,
      accepted,
      async stop() {
        ending.abort();
        await running;
      },
    };
  }

  /** Opens a stream to the node. */
  async open(node: string, { channels } = this.server, signal = NEVER): Promise<ByteStream> {
    const purpose = { verb: 'proxy', podUID: 'p', container: '', user: 'jane' } as const;
    return channels.open({ node, purpose }, { host: '10.1.2.3', port: 80 }, signal);
  }

  /** Returns a ticket for Jane and the node. */
  async streamTicket(node: string, asked: Partial<StreamAsked> = {}): Promise<StreamTicket> {
    await this.clock.sleep(REQUEST);
    return this.server.streams.ticket({ ...aStream(node), ...asked });
  }

  /** Returns a user's client that has connected with the ticket and requests the routes of this stream. */
  async aClient(ticket: StreamTicket, asked: StreamAsked, signal = NEVER): Promise<StreamClient> {
    const { clock, gateway, random } = this;
    const routes = async (...spent: Parameters<StreamTickets['routes']>): ReturnType<StreamTickets['routes']> => {
      await clock.sleep(REQUEST);
      return this.server.streams.routes(...spent);
    };
    const ports = {
      clock,
      connect: gateway.connect,
      routes: (spent: Parameters<StreamTickets['routes']>[1]) => routes(asked, spent),
      randomId: () => Math.floor(random() * 2 ** 48),
    };
    return StreamClient.connect(ticket, ports, signal);
  }

  /** Advances the clock by a time in ms. */
  pass(milliseconds: number): Promise<void> {
    return this.clock.runUntil(this.clock.sleep(milliseconds));
  }
}
