import type { Clock } from '#lib/machinery/clock.ts';
import type { MessageTransport } from '../message-transport.ts';
import type { Session } from '../session.ts';

/** How a network treats messages. Probabilities are per message, times are in ms. */
export interface Weather {
  /** The probability that an accepted message is lost. */
  readonly drop: number;
  /** The probability that a message arrives twice. */
  readonly repeat: number;
  /** The maximum delay. It makes messages overtake each other. */
  readonly delay: number;
  /** The probability that a message breaks the connection. The next connection follows after at most `pause`. */
  readonly cut: number;
  readonly pause: number;
}

/** Connects two sessions over a hostile network, with the same random numbers in each run. */
export class HostileNetwork {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #weather: Weather;
  readonly #ends: readonly [Session, Session];
  /** Counters of message events. */
  readonly done = { sent: 0, dropped: 0, repeated: 0, cut: 0 };
  #generation = 0;

  constructor(
    ends: readonly [Session, Session],
    weather: Weather,
    ports: { readonly clock: Clock; readonly random: () => number },
  ) {
    this.#ends = ends;
    this.#weather = weather;
    this.#clock = ports.clock;
    this.#random = ports.random;
  }

  connect(): void {
    const [first, second] = this.#ends;
    const generation = ++this.#generation;
    const transports = [this.#to(second, generation), this.#to(first, generation)] as const;
    first.attach(transports[0]);
    second.attach(transports[1]);
  }

  #to(receiver: Session, generation: number): MessageTransport {
    return {
      parallel: 1 + Math.floor(this.#random() * 8),
      send: async (message) => {
        if (generation !== this.#generation) throw new Error('the connection is cut');
        this.#deliver(receiver, Uint8Array.from(message));
        await this.#clock.sleep(this.#random() * 2);
        if (this.#random() < this.#weather.cut) void this.#cut(generation);
        if (generation !== this.#generation) throw new Error('the connection is cut');
      },
      close: () => undefined,
    };
  }

  #deliver(receiver: Session, message: Uint8Array): void {
    const { drop, repeat } = this.#weather;
    this.done.sent += 1;
    if (this.#random() < drop) this.done.dropped += 1;
    else this.#arrive(receiver, message);
    if (this.#random() >= repeat) return;
    this.done.repeated += 1;
    this.#arrive(receiver, message);
  }

  /** Messages of a broken connection may still arrive. */
  #arrive(receiver: Session, message: Uint8Array): void {
    void this.#clock.sleep(this.#random() * this.#weather.delay).then(() => receiver.receive(message));
  }

  async #cut(generation: number): Promise<void> {
    if (generation !== this.#generation) return;
    this.#generation += 1;
    this.done.cut += 1;
    await this.#clock.sleep(this.#random() * this.#weather.pause);
    this.connect();
  }
}
