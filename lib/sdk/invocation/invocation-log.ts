import { hasFailed, type Invocation, type InvocationSink } from './invocation.ts';

/** The number of JSON characters to keep for each function, and the number of functions. */
const OF_ONE = 128 * 1024;
const FUNCTIONS = 256;

/** A filter for invocations. Absent fields match everything. */
export interface InvocationQuery {
  readonly function?: string;
  readonly failed?: boolean;
  /** The kind of the object that the function was invoked for. */
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Only invocations recorded after this cursor. */
  readonly after?: number;
  /** The maximum number of invocations. If there are more, the last ones are returned. */
  readonly limit: number;
}

/** A page of invocations. */
export interface InvocationPage {
  /** The value of `after` for a query that continues here. */
  readonly cursor: number;
  /** The invocations, oldest first. */
  readonly items: readonly Invocation[];
}

interface Ring {
  /** Each invocation as JSON, by its sequence number. */
  readonly entries: Map<number, string>;
  size: number;
}

/** The limits of the log: the characters for each function, and the number of functions. */
export interface Bounds {
  readonly ofOne: number;
  readonly functions: number;
}

/** The last invocations of each function, in memory. Each function has a separate limit, so that a busy one does not evict the others. */
export class InvocationLog implements InvocationSink {
  /** The logs of functions. The most recently recorded function is last. */
  readonly #rings = new Map<string, Ring>();
  readonly #bounds: Bounds;
  #cursor = 0;

  constructor(bounds: Bounds = { ofOne: OF_ONE, functions: FUNCTIONS }) {
    this.#bounds = bounds;
  }

  record(invocation: Invocation): void {
    const ring = this.#rings.get(invocation.function) ?? { entries: new Map<number, string>(), size: 0 };
    this.#rings.delete(invocation.function);
    this.#rings.set(invocation.function, ring);
    const text = JSON.stringify(invocation);
    ring.entries.set(++this.#cursor, text);
    ring.size += text.length;
    for (const [at, old] of ring.entries) {
      if (ring.size <= this.#bounds.ofOne) break;
      ring.entries.delete(at);
      ring.size -= old.length;
    }
    const [oldest] = this.#rings.keys();
    if (this.#rings.size > this.#bounds.functions && oldest !== undefined) this.#rings.delete(oldest);
  }

  list(query: InvocationQuery): InvocationPage {
    const found: [number, Invocation][] = [];
    for (const ring of this.#asked(query)) {
      for (const [at, text] of ring.entries) {
        if (at <= (query.after ?? 0)) continue;
        const invocation = JSON.parse(text) as Invocation; // written by `record`
        if (matches(invocation, query)) found.push([at, invocation]);
      }
    }
    const items = found
      .sort(([a], [b]) => a - b)
      .slice(-query.limit)
      .map(([, invocation]) => invocation);
    return { cursor: this.#cursor, items };
  }

  #asked({ function: name }: InvocationQuery): Iterable<Ring> {
    if (name === undefined) return this.#rings.values();
    const ring = this.#rings.get(name);
    return ring === undefined ? [] : [ring];
  }
}

function matches(invocation: Invocation, { failed, kind, namespace, name }: InvocationQuery): boolean {
  const { object } = invocation;
  if (failed === true && !hasFailed(invocation)) return false;
  if (kind !== undefined && object?.kind.toLowerCase() !== kind.toLowerCase()) return false;
  if (namespace !== undefined && object?.namespace !== namespace) return false;
  return name === undefined || object?.name === name;
}
