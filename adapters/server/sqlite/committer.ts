import type { StoreError } from '#lib/storage/errors.ts';
import type { Database } from './database.ts';
import { storeError } from './errors.ts';

interface Job {
  /** One statement needs no transaction around it. */
  readonly isSingle: boolean;
  work(): void;
  done(): void;
  fail(error: unknown): void;
}

const TOUCH = 'UPDATE sequence SET watermark = watermark WHERE id = (SELECT min(id) FROM sequence)';

/** Group commit: what is asked for within one turn of the event loop shares one transaction, and what is committed during one sync shares the next. */
export class Committer {
  readonly #db: Pick<Database, 'transaction' | 'durable' | 'run'>;
  #jobs: Job[] = [];
  #failure: StoreError | undefined;

  constructor(db: Pick<Database, 'transaction' | 'durable' | 'run'>) {
    this.#db = db;
  }

  /** Resolves when what `work` did is durable. Its throw fails all that shares the transaction. */
  commit<T>(work: () => T, { isSingle }: { isSingle: boolean }): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      this.#jobs.push({
        isSingle,
        work: () => {
          result = work();
        },
        done: () => resolve(result),
        fail: reject,
      });
      if (this.#jobs.length === 1) setImmediate(() => void this.flush());
    });
  }

  /** Why the last commit failed; undefined where it did not. */
  get failure(): StoreError | undefined {
    return this.#failure;
  }

  /** A commit that changes nothing. Throws StoreError. */
  async touch(): Promise<void> {
    await this.commit(() => this.#db.run(TOUCH), { isSingle: true });
  }

  /** Commits what waits. Never rejects: each failure is told to the jobs that it befell. */
  async flush(): Promise<void> {
    const jobs = this.#jobs;
    this.#jobs = [];
    try {
      if (jobs.length === 1 && jobs[0]?.isSingle === true) jobs[0].work();
      else if (jobs.length > 0) this.#db.transaction(() => jobs.forEach((job) => job.work()));
      await this.#db.durable();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = storeError(error);
      for (const job of jobs) job.fail(error);
      return;
    }
    for (const job of jobs) job.done();
  }
}
