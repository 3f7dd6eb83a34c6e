import type { Clock } from '#lib/machinery/clock.ts';
import { MAX_MESSAGE } from '../../frame.ts';
import type { Posts } from '../posts.ts';
import { NODE_HEADER, type Relay, TICKET_HEADER } from '../relay.ts';
import type { ConnectText, TextConnection } from '../text-connection.ts';

/** API Gateway's limits in ms on a connection: its age, and its idle time. */
const LONGEST = 2 * 60 * 60_000;
const IDLE = 10 * 60_000;
/** API Gateway's limits in ms on a connection: its maximum age and its maximum idle time. */
const MAX_POST = 128 * 1024;

/** How a gateway treats messages. Probabilities are per message, times are in ms. */
export interface GatewayWeather {
  /** The delay from a client to the relay, and from a post to the client. */
  readonly hop: number;
  /** The maximum additional delay. It makes messages overtake each other. */
  readonly jitter: number;
  /** The probability that a message arrives twice. */
  readonly repeat: number;
  /** The probability that an accepted message is lost. */
  readonly drop: number;
  /** The account's limit of new connections per second. */
  readonly rate: number;
  /** The maximum number of concurrent invocations of the relay. */
  readonly concurrency: number;
}

export const FAIR_GATEWAY: GatewayWeather = { hop: 20, jitter: 0, repeat: 0, drop: 0, rate: 500, concurrency: 50 };

interface Client {
  readonly id: string;
  take(text: string): void;
  end(reason: string): void;
  isOpen: boolean;
  openedAt: number;
  usedAt: number;
}

/**
 * A WebSocket API with the behaviour that API Gateway documents. Each message is a separate invocation. Posts to a connection that is
 * closed, or not yet accepted, return 410. A message above 32 KB closes the connection with 1009. An error of the integration is reported
 * in JSON.
 */
export class HostileGateway {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #clients = new Map<string, Client>();
  #isEnding = false;
  weather: GatewayWeather;
  /** Invoked one after another, because the platform has several processes. */
  relays: readonly Pick<Relay, 'connect' | 'message' | 'disconnect'>[] = [];
  /** Counters of events. */
  readonly done = { connects: 0, throttled: 0, frames: 0, posts: 0, gone: 0, faults: 0 };
  /** The total time in ms of ended connections. */
  #stood = 0;
  /** The monotonic times in ms of new connections. */
  readonly times: number[] = [];
  #inFlight = 0;
  #turn = 0;

  constructor(ports: { readonly clock: Clock; readonly random: () => number }, weather: Partial<GatewayWeather> = {}) {
    this.#clock = ports.clock;
    this.#random = ports.random;
    this.weather = { ...FAIR_GATEWAY, ...weather };
  }

  /** Ids of the open connections. */
  get open(): readonly string[] {
    return [...this.#clients.values()].filter(({ isOpen }) => isOpen).map(({ id }) => id);
  }

  /** The total connection minutes, as they are billed. */
  get minutes(): number {
    const now = this.#clock.monotonic();
    const open = [...this.#clients.values()].filter(({ isOpen }) => isOpen);
    return open.reduce((all, { openedAt }) => all + now - openedAt, this.#stood) / 60_000;
  }

  /** Ends every connection, or the given one. */
  cut(connection?: string): void {
    for (const client of this.#clients.values())
      if (connection === undefined || client.id === connection) this.#end(client, '');
  }

  readonly posts: Posts = {
    post: async (connection, text) => {
      this.done.posts += 1;
      if (text.length > MAX_POST) throw new RangeError('413');
      const client = this.#clients.get(connection);
      if (client?.isOpen !== true) {
        await this.#clock.sleep(this.weather.hop);
        this.done.gone += 1;
        return false;
      }
      client.usedAt = this.#clock.monotonic();
      await this.#passed(() => client.isOpen && client.take(text));
      return true;
    },
    close: async (connection) => {
      await this.#clock.sleep(this.weather.hop);
      const client = this.#clients.get(connection);
      if (client !== undefined) this.#end(client, '');
    },
  };

  readonly connect: ConnectText = async (_, { ticket, node, message }) => {
    const { hop, rate } = this.weather;
    await this.#clock.sleep(2 * hop); // TCP and TLS
    const now = this.#clock.monotonic();
    if (this.times.filter((time) => time > now - 1000).length >= rate) {
      this.done.throttled += 1;
      throw new Error('the gateway answers 429');
    }
    this.times.push(now);
    this.done.connects += 1;
    const id = `C${String(this.done.connects).padStart(6, '0')}=`;
    const headers = { [TICKET_HEADER]: `Bearer ${ticket}`, ...(node === '' ? {} : { [NODE_HEADER]: node }) };
    const closed = Promise.withResolvers<string>();
    const client: Client = { id, take: message, end: closed.resolve, isOpen: false, openedAt: now, usedAt: now };
    this.#clients.set(id, client);
    await this.#clock.sleep(hop);
    const status = await this.#relay().connect(id, headers);
    await this.#clock.sleep(hop);
    if (status !== 200) {
      this.#clients.delete(id);
      throw new Error(`the gateway answers ${status}`);
    }
    client.isOpen = true;
    client.openedAt = this.#clock.monotonic();
    client.usedAt = client.openedAt;
    void this.#expire(client);
    return this.#clientOf(client, closed.promise);
  };

  #clientOf(client: Client, closed: Promise<string>): TextConnection {
    return {
      send: async (text) => {
        if (!client.isOpen) throw new Error('the connection is closed');
        if (text.length > MAX_MESSAGE) return this.#end(client, '1009');
        client.usedAt = this.#clock.monotonic();
        this.done.frames += 1;
        void this.#passed(() => void this.#invoke(client, text));
      },
      close: () => this.#end(client, ''),
      closed,
    };
  }

  /** Stops all timers, so that none outlives the test. */
  stop(): void {
    this.#isEnding = true;
    this.cut();
  }

  #end(client: Client, reason: string): void {
    if (!this.#clients.delete(client.id)) return;
    if (client.isOpen) this.#stood += this.#clock.monotonic() - client.openedAt;
    client.isOpen = false;
    client.end(reason);
    if (!this.#isEnding) void this.#clock.sleep(this.weather.hop).then(() => this.#relay().disconnect(client.id));
  }

  async #expire(client: Client): Promise<void> {
    const end = this.#clock.monotonic() + LONGEST;
    while (client.isOpen) {
      const now = this.#clock.monotonic();
      const until = Math.min(end, client.usedAt + IDLE);
      if (now >= until) return this.#end(client, 'Going away');
      await this.#clock.sleep(until - now);
    }
  }

  #relay(): HostileGateway['relays'][number] {
    const relay = this.relays[this.#turn++ % this.relays.length];
    if (relay === undefined) throw new Error('the gateway has no relay');
    return relay;
  }

  async #invoke(client: Client, text: string): Promise<void> {
    const isThrottled = this.#inFlight >= this.weather.concurrency;
    this.#inFlight += 1;
    try {
      if (isThrottled) throw new Error('throttled');
      await this.#relay().message(client.id, text);
    } catch {
      this.done.faults += 1;
      const fault = { message: 'Internal server error', connectionId: client.id, requestId: 'r' };
      if (client.isOpen) client.take(JSON.stringify(fault));
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Calls `arrive` after the message's delay. It may be called twice, or not at all. */
  async #passed(arrive: () => void): Promise<void> {
    const { hop, jitter, repeat, drop } = this.weather;
    const isTwice = this.#random() < repeat;
    if (isTwice) void this.#clock.sleep(hop + this.#random() * jitter).then(() => arrive());
    await this.#clock.sleep(hop + this.#random() * jitter);
    if (this.#random() >= drop) arrive();
  }
}
