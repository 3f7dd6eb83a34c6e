import { lookup } from 'node:dns/promises';

/** All addresses of a name. Rejects with the system's error. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Names looked up at once: each holds one of the four threads that files and keys of this process need as well. */
const AT_ONCE = 2;

interface Asked {
  readonly name: string;
  /** How many wait for the answer. */
  waiting: number;
  readonly begin: () => void;
}

/** Looks names up, a few at once. Those who ask for the same name at once share the answer; none is kept. */
export class Lookups {
  readonly #resolve: Resolve;
  readonly #running = new Map<string, { asked: Asked; found: Promise<readonly string[]> }>();
  readonly #queue: Asked[] = [];
  #free = AT_ONCE;

  constructor(resolve: Resolve = bySystem) {
    this.#resolve = resolve;
  }

  /** All addresses of a name. Rejects with the system's error, or the signal's reason as soon as it aborts. */
  addressesOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const { asked, found } = this.#running.get(name) ?? this.#ask(name);
    asked.waiting++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        asked.waiting--;
        if (asked.waiting === 0 && this.#queue.includes(asked)) this.#forget(asked);
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      found.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #ask(name: string) {
    const turn = Promise.withResolvers<void>();
    const asked = { name, waiting: 0, begin: turn.resolve };
    const found = turn.promise
      .then(() => this.#resolve(name))
      .finally(() => {
        this.#running.delete(name);
        this.#free++;
        this.#next();
      });
    const entry = { asked, found };
    this.#running.set(name, entry);
    this.#queue.push(asked);
    this.#next();
    return entry;
  }

  #next(): void {
    if (this.#free === 0) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#free--;
    next.begin();
  }

  #forget(asked: Asked): void {
    this.#queue.splice(this.#queue.indexOf(asked), 1);
    this.#running.delete(asked.name);
  }
}

async function bySystem(name: string): Promise<readonly string[]> {
  if (name === '') return []; // node deprecates the question
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}
