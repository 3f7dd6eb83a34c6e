import { durationText } from '#lib/machinery/duration.ts';

/** The parts of a request whose duration its audit event contains. */
export type Layer =
  | 'authentication'
  | 'authorization'
  | 'impersonation'
  | 'apf-queue-wait'
  | 'mutating-webhook'
  | 'validating-webhook';

const PREFIX = 'apiserver.latency.k8s.io/';
/** The duration in ms above which a request's event contains its latencies. */
const SLOW = 500;
/** Layers that run concurrently. They report their longest run, and the others report the sum. */
const AT_ONCE: ReadonlySet<Layer> = new Set(['authorization', 'apf-queue-wait', 'validating-webhook']);

/** Measures how long each layer of a request took, like upstream's LatencyTrackers. */
export class Latencies {
  readonly #layers = new Map<Layer, number>();

  took(layer: Layer, milliseconds: number): void {
    const before = this.#layers.get(layer) ?? 0;
    this.#layers.set(layer, AT_ONCE.has(layer) ? Math.max(before, milliseconds) : before + milliseconds);
  }

  /** Returns the annotations of a request that took `total` ms. Empty if the request was fast. */
  annotations(total: number): ReadonlyMap<string, string> {
    if (total <= SLOW) return new Map();
    const layers = [...this.#layers].filter(([, milliseconds]) => milliseconds > 0);
    return new Map([...layers, ['total', total] as const].map(([layer, one]) => [`${PREFIX}${layer}`, textOf(one)]));
  }
}

const textOf = (milliseconds: number): string => durationText(BigInt(Math.round(milliseconds * 1_000_000)));
