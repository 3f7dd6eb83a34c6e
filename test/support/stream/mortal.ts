import type { Sequence, SequenceStore } from '#lib/storage/sequence.ts';
import type { DeadLetters } from '#lib/stream/dead-letters.ts';
import type { Sink } from '#lib/stream/sink.ts';

/** When a process dies: at its `call`th call to a port, before the call arrives or after its execution. */
export interface Death {
  readonly call: number;
  readonly carriedOut: boolean;
}

/** A process whose calls to ports all pass through here. After its death, no call is executed and no response arrives. */
export class Mortal {
  /** Resolves when the process dies. */
  readonly died: Promise<void>;
  calls = 0;
  readonly #death: Death | undefined;
  #dead = false;
  #die = (): void => undefined;
  readonly #before: () => Promise<void>;

  /** `before` is awaited before every call, so that another process can run. */
  constructor(death: Death | undefined, before: () => Promise<void> = async () => undefined) {
    this.#death = death;
    this.#before = before;
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  async call<T>(work: () => Promise<T>): Promise<T> {
    await this.#before();
    this.calls += 1;
    if (this.#dead) return never();
    if (this.calls !== this.#death?.call) return work();
    this.#dead = true;
    if (this.#death.carriedOut) await Promise.allSettled([work()]);
    this.#die();
    return never();
  }

  sink<T>(inner: Sink<T>): Sink<T> {
    return { send: (entries) => this.call(() => inner.send(entries)) };
  }

  deadLetters(inner: DeadLetters): DeadLetters {
    return {
      put: (deadLetter) => this.call(() => inner.put(deadLetter)),
      all: () => inner.all(),
      remove: (deadLetter) => this.call(() => inner.remove(deadLetter)),
    };
  }

  store(inner: SequenceStore): SequenceStore {
    return {
      sequence: (name) => this.#sequence(inner.sequence(name)),
      names: () => this.call(() => inner.names()),
      close: () => inner.close(),
    };
  }

  #sequence(inner: Sequence): Sequence {
    return {
      marks: {
        cursor: (reader) => this.call(() => inner.marks.cursor(reader)),
        moveCursor: (reader, from, to) => this.call(() => inner.marks.moveCursor(reader, from, to)),
      },
      head: () => this.call(() => inner.head()),
      readLog: (after, options) => this.call(() => inner.readLog(after, options)),
      snapshot: (options) => this.call(() => inner.snapshot(options)),
      extent: (prefix) => this.call(() => inner.extent(prefix)),
      read: (key) => this.call(() => inner.read(key)),
      append: (after, proposals, options) => this.call(() => inner.append(after, proposals, options)),
      compact: () => this.call(() => inner.compact()),
      positionBefore: (time) => this.call(() => inner.positionBefore(time)),
      raiseEpoch: () => this.call(() => inner.raiseEpoch()),
      close: () => inner.close(),
    };
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
