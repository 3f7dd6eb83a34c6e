import type { Declarations } from '#adapters/server/function-thread/declarations.ts';
import type { FunctionThread } from '#adapters/server/function-thread/function-thread.ts';
import type { LocalSettings, ThreadSettings } from './settings.ts';

/** A loaded thread, and the names of the functions that it runs. */
export interface LoadedThread {
  readonly thread: FunctionThread;
  readonly settings: ThreadSettings;
  readonly names: readonly string[];
}

/** The declarations of a file, and the threads that run its functions. */
export interface LoadedFile extends Declarations {
  readonly threads: readonly LoadedThread[];
}

/**
 * Loads one file: first to read its declarations, then in one thread per distinct settings of its functions. Reconcilers share no thread
 * with webhooks and aggregated APIs, because a hanging reconciler must not cause a pending request to fail.
 */
export class FileLoad {
  readonly settings: LocalSettings;
  readonly #start: (settings: ThreadSettings) => FunctionThread;
  readonly #begun: FunctionThread[] = [];
  #isClosed = false;

  constructor(settings: LocalSettings, start: (settings: ThreadSettings) => FunctionThread) {
    this.settings = settings;
    this.#start = start;
  }

  /** Loads the file. Rejects with the reason if it cannot be loaded. */
  async loaded(): Promise<LoadedFile> {
    const { common } = this.settings;
    const first = this.#begin(common);
    const declared = await first.loaded;
    if (this.#isClosed) throw new Error('is closed');
    const reconcilers = namesOf(declared.reconcilers);
    const groups = [...this.#groups(reconcilers), ...this.#groups(namesOf([...declared.webhooks, ...declared.apis]))];
    const kept = groups.find((names) => this.settings.threadOf(names[0] ?? '') === common);
    const threads = groups.map((names): LoadedThread => {
      const settings = this.settings.threadOf(names[0] ?? '');
      return { thread: names === kept ? first : this.#begin(settings), settings, names };
    });
    await Promise.all(threads.map(({ thread }) => thread.loaded));
    if (threads.every(({ thread }) => thread !== first)) await first.close();
    return { ...declared, threads };
  }

  /** Ends all threads of the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#begun.map((thread) => thread.close()));
  }

  /** Groups the names of functions that may share a thread. */
  #groups(names: readonly string[]): string[][] {
    return [...Map.groupBy(names, (name) => keyOf(this.settings.threadOf(name))).values()];
  }

  #begin(settings: ThreadSettings): FunctionThread {
    const thread = this.#start(settings);
    this.#begun.push(thread);
    return thread;
  }
}

const namesOf = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);

/** The same for settings that may share a thread. */
const keyOf = ({ memory, environment }: ThreadSettings): string =>
  JSON.stringify([memory, Object.entries(environment).sort()]);
