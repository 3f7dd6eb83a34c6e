import { AtOnce } from '#lib/machinery/at-once.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { atMost, within } from '#lib/machinery/wait/within.ts';
import { clientTimeout } from '#lib/server/aggregation/client-timeout.ts';
import { decodeBatch } from './decode-batch.ts';
import { type NodePoints, nodeUsage, withBatch } from './node-points.ts';

/** The settings and ports of a scraper. */
export interface ScraperOptions {
  readonly clock: Clock;
  /** The time in ms for which a scrape of a node is valid: upstream's --metric-resolution. */
  readonly resolution: number;
  /** Reads the node's `/metrics/resource`. Ends when the signal aborts. */
  scrape(node: string, signal: AbortSignal): Promise<string>;
  /** Called when a scrape of a node failed, unless the previous one failed too. */
  onFault(node: string, error: unknown): void;
}

/** The minimum resolution in ms: upstream's limit. */
export const LEAST_RESOLUTION = 10_000;
/** The interval in ms between two scrapes of a node without recent scrapes. It is the window of the first response. */
const PAIR = 2000;
/**
 * The maximum number of scrapes until a node has two points. A kubelet measures every 10 to 15 seconds, and repeats the last point in
 * between.
 */
const SCRAPES = 9;
/** The delay in ms before a node that failed or lacks requested metrics is scraped again: upstream's scrape period. */
const RETRY = 15_000;
/** The timeout of one scrape in ms. */
const SCRAPE_WITHIN = 5000;
/** The maximum time in ms for which a response waits for scrapes. It omits slower nodes. */
const ANSWER_WITHIN = 25_000;
/** The maximum number of concurrent scrapes, for nodes that responded last time and separately for all others. */
const AT_ONCE = 32;
/** The time in ms for which a node's points are kept without a request. */
const KEPT = 600_000;

interface Held {
  /** Absent until the node was scraped, and after a failure. */
  readonly points?: NodePoints;
  /** The time of the last scrape, on the monotonic clock. */
  readonly scraped: number;
}

/**
 * Scrapes nodes only when a client requests their metrics. A scrape is valid for `resolution` ms. Concurrent requests share scrapes. A node
 * that hangs or fails delays a response for a limited time, and then not again for a while.
 */
export class Scraper {
  readonly #options: ScraperOptions;
  /** Slots for scrapes. Nodes that responded last time have separate slots, because hanging nodes may occupy the others. */
  readonly #places = { answering: new AtOnce(AT_ONCE), others: new AtOnce(AT_ONCE) };
  readonly #held = new Map<string, Held>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: ScraperOptions) {
    this.#options = options;
  }

  /** Returns the points of nodes, and scrapes nodes if necessary. `lacks` returns whether points miss requested metrics. */
  async pointsOf(
    nodes: Iterable<string>,
    lacks: (node: string, points: NodePoints) => boolean,
  ): Promise<ReadonlyMap<string, NodePoints>> {
    const { clock } = this.#options;
    const now = clock.monotonic();
    for (const [node, { scraped }] of this.#held) if (now - scraped > KEPT) this.#held.delete(node);
    const names = [...new Set(nodes)];
    const scrapes = names.flatMap((node) => {
      const running = this.#running.get(node) ?? (this.#isDue(node, lacks) ? this.#begin(node) : undefined);
      return running === undefined ? [] : [running];
    });
    if (scrapes.length > 0) await atMost(ANSWER_WITHIN, () => Promise.all(scrapes), { clock });
    return new Map(
      names.flatMap((node) => {
        const points = this.#held.get(node)?.points;
        return points === undefined ? [] : [[node, points] as const];
      }),
    );
  }

  #isDue(node: string, lacks: (node: string, points: NodePoints) => boolean): boolean {
    const held = this.#held.get(node);
    if (held === undefined) return true;
    const { points, scraped } = held;
    const { clock, resolution } = this.#options;
    const isMissing = points === undefined || lacks(node, points);
    return clock.monotonic() - scraped >= (isMissing ? Math.min(RETRY, resolution) : resolution);
  }

  #begin(node: string): Promise<void> {
    const running = this.#scrapeUntilMeasured(node).finally(() => this.#running.delete(node));
    this.#running.set(node, running);
    return running;
  }

  /** Scrapes once if a recent point exists, otherwise until there are two points. */
  async #scrapeUntilMeasured(node: string): Promise<void> {
    const { clock, resolution, onFault } = this.#options;
    const known = this.#held.get(node);
    const isRecent = known !== undefined && clock.monotonic() - known.scraped <= 2 * resolution;
    let points = isRecent ? known.points : undefined;
    const most = points === undefined ? SCRAPES : 1;
    try {
      for (let scrapes = 1; ; scrapes++) {
        const places = scrapes > 1 || known?.points !== undefined ? this.#places.answering : this.#places.others;
        points = await places.run(() => this.#scrape(node, points));
        const isMeasured = points.last.node === undefined || nodeUsage(points) !== undefined;
        if (isMeasured || scrapes === most) break;
        await clock.sleep(PAIR);
      }
      this.#held.set(node, { points, scraped: clock.monotonic() });
    } catch (error) {
      this.#held.set(node, { scraped: clock.monotonic() });
      if (known === undefined || known.points !== undefined) onFault(node, error);
    }
  }

  async #scrape(node: string, known: NodePoints | undefined): Promise<NodePoints> {
    const { clock, resolution, scrape } = this.#options;
    const begun = { timestamp: clock.now(), at: clock.monotonic() };
    const text = await within(SCRAPE_WITHIN, (signal) => scrape(node, signal), { clock, error: clientTimeout });
    const taken = clock.monotonic() - begun.at;
    // Timers stop while a process is frozen.
    if (taken > SCRAPE_WITHIN) throw new Error(`its answer is ${Math.round(taken)} ms old`);
    const half = taken / 2; // the node's measurement is between request and response
    const measured = { timestamp: begun.timestamp + half, at: begun.at + half };
    return withBatch(known, decodeBatch(text, measured), resolution);
  }
}
