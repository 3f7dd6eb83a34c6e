import type { ListWatch } from '#lib/client/list-watch.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { ChannelState } from '#lib/server/channel/agent-channel.ts';
import type { FollowedType } from '#lib/server/channel/followed-types.ts';
import type { FollowedState } from '#lib/server/channel/look.ts';
import { decodeNotification, LOOKS, NOTIFICATIONS } from '#lib/server/channel/notification.ts';
import { lookingListWatch } from './looking-list-watch.ts';
import { Looks, type LooksOptions } from './looks.ts';
import { ReceivedNotifications } from './received-notifications.ts';

/** Poll intervals in ms if the server requests polls, for a node that receives notifications and for a node without a channel. */
const RUNG = 300_000;
const NOT_RUNG = 30_000;

/** The ports and settings of News. */
export interface NewsOptions extends Pick<LooksOptions, 'look' | 'clock' | 'random' | 'onFault'> {
  /** Interval in ms between two polls, regardless of the server. If absent, the server decides whether the node polls or watches. */
  readonly frequency: number | undefined;
}

/**
 * Decides how a node learns of changes in the API: with watches, or with polls and notifications, which hold no connection. A server
 * requests polls in the hello of the channel. The node watches before the first hello.
 */
export class News {
  readonly #options: NewsOptions;
  readonly #looks: Looks;
  readonly #heard: ReceivedNotifications;
  #features: readonly string[] = [];
  #isConnected = false;
  /** Aborts when the node switches between polls and watches. */
  #switched = new AbortController();

  constructor(options: NewsOptions) {
    this.#options = options;
    this.#heard = new ReceivedNotifications(options.clock);
    this.#looks = new Looks({
      ...options,
      frequency: () => this.#frequency(),
      onKept: () => this.#heard.isRung(true),
      onTells: () => this.#switch(),
    });
  }

  /** Whether the node polls. Otherwise it watches. */
  get looks(): boolean {
    return this.#options.frequency !== undefined || this.#features.includes(LOOKS);
  }

  /** The metrics of notifications. */
  get metrics(): ReceivedNotifications {
    return this.#heard;
  }

  /** Handles a state of the channel. */
  take(state: ChannelState): void {
    const before = this.looks;
    this.#isConnected = state.connected;
    if (state.connected) this.#features = state.features; // an unreachable server has the same features when it comes back
    this.#heard.isRung(false); // until the server stores the interests of this connection
    this.#looks.canBeRung(this.#canBeRung());
    if (this.looks !== before) this.#switch();
  }

  /** Restarts each watch in the current mode. */
  #switch(): void {
    this.#switched.abort();
    this.#switched = new AbortController();
  }

  /** Handles a notification from the server. */
  ring(body: Json): void {
    const ring = decodeNotification(body);
    this.#heard.hear(ring);
    this.#looks.ring(ring);
  }

  /** Lists and follows the objects of a type in the node's current mode. `watches` requests them from the server. */
  listWatch(type: FollowedType, watches: ListWatch): ListWatch {
    const looking = lookingListWatch(this.#looks, type, watches, this.#heard);
    const switched = (): AbortSignal => this.#switched.signal;
    const current = (): ListWatch => (this.looks && this.#looks.tells(type) ? looking : watches);
    return {
      list: (options) => looking.list(options), // a poll compares with what was listed
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

  /** Calls the listener with each new state of a type whose objects the node's pods refer to. */
  listen(type: FollowedType, listener: (state: FollowedState) => void): void {
    let before: FollowedState | undefined;
    this.#looks.listen(type, (state) => {
      if (before !== undefined) this.#heard.compare(type, before, state);
      before = state;
      listener(state);
    });
  }

  /**
   * Whether no poll or notification has reported a newer version of the node's own Node. False without a report: the node watches, or the
   * server is older.
   */
  isNewestNode(version: string): boolean {
    const looked = this.looks ? this.#looks.versionOf('nodes') : undefined;
    return looked !== undefined && Number(version) >= Number(looked);
  }

  /** Polls, while the node is in that mode, until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#looks.run(signal);
  }

  #canBeRung(): boolean {
    return this.#isConnected && this.looks && this.#features.includes(NOTIFICATIONS);
  }

  #frequency(): number | undefined {
    if (!this.looks) return undefined;
    return this.#options.frequency ?? (this.#canBeRung() ? RUNG : NOT_RUNG);
  }
}
