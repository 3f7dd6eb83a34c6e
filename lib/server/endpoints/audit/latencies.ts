import { durationText } from '#lib/machinery/duration.ts';

/** The parts of a request whose duration its audit event shows. */
export type Layer =
  | 'authentication'
  | 'authorization'
  | 'impersonation'
  | 'apf-queue-wait'
  | 'mutating-webhook'
  | 'validating-webhook';

const PREFIX = 'apiserver.latency.k8s.io/';
/** Faster requests are told nothing of, in milliseconds. */
const SLOW = 500;
/** Layers that run concurrently count their longest run; the others add up. */
const AT_ONCE: ReadonlySet<Layer> = new Set(['authorization', 'apf-queue-wait', 'validating-webhook']);

/** Where the time of one request went: upstream's LatencyTrackers. */
export class Latencies {
  readonly #layers = new Map<Layer, number>();

  took(layer: Layer, milliseconds: number): void {
    const before = this.#layers.get(layer) ?? 0;
    this.#layers.set(layer, AT_ONCE.has(layer) ? Math.max(before, milliseconds) : before + milliseconds);
  }

  /** Annotations of a request that took so long in all; none of one that was fast. */
  annotations(total: number): ReadonlyMap<string, string> {
    if (total <= SLOW) return new Map();
    const layers = [...this.#layers].filter(([, milliseconds]) => milliseconds > 0);
    return new Map([...layers, ['total', total] as const].map(([layer, one]) => [`${PREFIX}${layer}`, textOf(one)]));
  }
}

const textOf = (milliseconds: number): string => durationText(BigInt(Math.round(milliseconds * 1_000_000)));
