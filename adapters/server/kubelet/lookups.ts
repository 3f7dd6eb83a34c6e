import { lookup } from 'node:dns/promises';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { unlessAborted } from '#lib/machinery/wait/unless-aborted.ts';

/** All addresses of a name. Rejects with the system's error. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface Lookup {
  readonly found: Promise<readonly string[]>;
  /** The number of callers that wait for the result. */
  waiting: number;
  begin(): void;
}

/**
 * Looks up one name at a time. The process can only run two lookups concurrently, even if a name server does not respond, and webhooks need
 * one of the two. Concurrent callers with the same name share the result. No result is cached.
 */
export class Lookups {
  readonly #resolve: Resolve;
  /** Pending lookups by name, in FIFO order. */
  readonly #asked = new Map<string, Lookup>();
  #running: Lookup | undefined;

  constructor(resolve: Resolve = bySystem) {
    this.#resolve = resolve;
  }

  /** All addresses of a name. Rejects with the system's error, or with the signal's reason as soon as it aborts. */
  async addressesOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const asked = this.#asked.get(name) ?? this.#ask(name);
    asked.waiting++;
    using _listener = onAbort(signal, () => {
      asked.waiting--;
      if (asked.waiting === 0 && asked !== this.#running) this.#asked.delete(name);
    });
    return await unlessAborted(asked.found, signal);
  }

  #ask(name: string): Lookup {
    const turn = Promise.withResolvers<void>();
    const found = turn.promise
      .then(() => this.#resolve(name))
      .finally(() => {
        this.#asked.delete(name);
        this.#running = undefined;
        this.#next();
      });
    const asked = { found, waiting: 0, begin: turn.resolve };
    this.#asked.set(name, asked);
    this.#next();
    return asked;
  }

  #next(): void {
    if (this.#running !== undefined) return;
    [this.#running] = this.#asked.values();
    this.#running?.begin();
  }
}

async function bySystem(name: string): Promise<readonly string[]> {
  if (name === '') return []; // node deprecates lookups of an empty name
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}
