import type { ListWatch } from '#lib/client/list-watch.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { ChannelState } from '#lib/server/channel/agent-channel.ts';
import type { FollowedType } from '#lib/server/channel/followed-types.ts';
import type { FollowedState } from '#lib/server/channel/look.ts';
import { decodeRing, LOOKS, RINGS } from '#lib/server/channel/ring.ts';
import { HeardRings } from './heard-rings.ts';
import { lookingListWatch } from './looking-list-watch.ts';
import { Looks, type LooksOptions } from './looks.ts';

/** Milliseconds between two looks of a node that is rung, and of one whose channel is down: behind a server that asks for looks. */
const RUNG = 300_000;
const NOT_RUNG = 30_000;

/** The ports and settings of a node's news. */
export interface NewsOptions extends Pick<LooksOptions, 'look' | 'clock' | 'random' | 'onFault'> {
  /** Milliseconds between two looks, whatever the server asks for. Absent: the server decides whether the node looks or watches. */
  readonly frequency: number | undefined;
}

/**
 * The way in which a node learns of changes in the API: watches, or looks, which hold no connection, and rings. Servers that ask for looks
 * say so in the hello of the channel; before the first hello the node watches.
 */
export class News {
  readonly #options: NewsOptions;
  readonly #looks: Looks;
  readonly #heard: HeardRings;
  #features: readonly string[] = [];
  #isConnected = false;
  /** Aborts when the node begins to look, or to watch. */
  #switched = new AbortController();

  constructor(options: NewsOptions) {
    this.#options = options;
    this.#heard = new HeardRings(options.clock);
    this.#looks = new Looks({
      ...options,
      frequency: () => this.#frequency(),
      onKept: () => this.#heard.isRung(true),
      onTells: () => this.#switch(),
    });
  }

  /** Whether the node looks; else it watches. */
  get looks(): boolean {
    return this.#options.frequency !== undefined || this.#features.includes(LOOKS);
  }

  /** The metrics of rings. */
  get metrics(): HeardRings {
    return this.#heard;
  }

  /** Takes what the channel reports. */
  take(state: ChannelState): void {
    const before = this.looks;
    this.#isConnected = state.connected;
    if (state.connected) this.#features = state.features; // a server that is out of reach is the same when it comes back
    this.#heard.isRung(false); // until the server keeps the interests of this connection
    this.#looks.canBeRung(this.#canBeRung());
    if (this.looks !== before) this.#switch();
  }

  /** Has each watch begin anew, in the way of now. */
  #switch(): void {
    this.#switched.abort();
    this.#switched = new AbortController();
  }

  /** Takes a ring of the server. */
  ring(body: Json): void {
    const ring = decodeRing(body);
    this.#heard.hear(ring);
    this.#looks.ring(ring);
  }

  /** Lists and follows the objects of a type in the way of the node; `watches` asks the server for them. */
  listWatch(type: FollowedType, watches: ListWatch): ListWatch {
    const looking = lookingListWatch(this.#looks, type, watches, this.#heard);
    const switched = (): AbortSignal => this.#switched.signal;
    const current = (): ListWatch => (this.looks && this.#looks.tells(type) ? looking : watches);
    return {
      list: (options) => looking.list(options), // a look compares with what was listed
      async *watch(from) {
        const ended = switched();
        try {
          yield* current().watch({ ...from, signal: AbortSignal.any([from.signal, ended]) });
        } catch (error) {
          if (!ended.aborted) throw error;
        }
      },
    };
  }

  /** Tells the state of a type of objects that the node's pods refer to, with each look that shows another one. */
  listen(type: FollowedType, listener: (state: FollowedState) => void): void {
    let before: FollowedState | undefined;
    this.#looks.listen(type, (state) => {
      if (before !== undefined) this.#heard.compare(type, before, state);
      before = state;
      listener(state);
    });
  }

  /** Whether no look or ring has told of a newer version of the node's own Node. False where nothing tells: the node watches, or the server is of an older version. */
  isNewestNode(version: string): boolean {
    const looked = this.looks ? this.#looks.versionOf('nodes') : undefined;
    return looked !== undefined && Number(version) >= Number(looked);
  }

  /** Looks, while the node does, until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#looks.run(signal);
  }

  #canBeRung(): boolean {
    return this.#isConnected && this.looks && this.#features.includes(RINGS);
  }

  #frequency(): number | undefined {
    if (!this.looks) return undefined;
    return this.#options.frequency ?? (this.#canBeRung() ? RUNG : NOT_RUNG);
  }
}
