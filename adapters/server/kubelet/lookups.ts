import { lookup } from 'node:dns/promises';

/** All addresses of a name. Rejects with the system's error. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface Lookup {
  readonly found: Promise<readonly string[]>;
  /** How many wait for the answer. */
  waiting: number;
  begin(): void;
}

/**
 * Looks names up, one after the other: the process looks up two at once, however long a name server is silent, and webhooks need one
 * of them. Those who ask for the same name at once share the answer; none is kept.
 */
export class Lookups {
  readonly #resolve: Resolve;
  /** By name, the first to be asked for first. */
  readonly #asked = new Map<string, Lookup>();
  #running: Lookup | undefined;

  constructor(resolve: Resolve = bySystem) {
    this.#resolve = resolve;
  }

  /** All addresses of a name. Rejects with the system's error, or the signal's reason as soon as it aborts. */
  addressesOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const asked = this.#asked.get(name) ?? this.#ask(name);
    asked.waiting++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        asked.waiting--;
        if (asked.waiting === 0 && asked !== this.#running) this.#asked.delete(name);
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      asked.found.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
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
  if (name === '') return []; // node deprecates the question
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}
