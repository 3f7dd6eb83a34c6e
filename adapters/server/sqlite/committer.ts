import type { StoreError } from '#lib/storage/errors.ts';
import type { Database } from './database.ts';
import { storeError } from './errors.ts';

interface Job {
  /** Whether the job is a single statement, which needs no transaction. */
  readonly isSingle: boolean;
  work(): void;
  done(): void;
  fail(error: unknown): void;
}

const TOUCH = 'UPDATE sequence SET watermark = watermark WHERE id = (SELECT min(id) FROM sequence)';

/** Group commit: jobs from one turn of the event loop share one transaction. Jobs that arrive during a sync share the next transaction. */
export class Committer {
  readonly #db: Pick<Database, 'transaction' | 'durable' | 'run'>;
  #jobs: Job[] = [];
  #failure: StoreError | undefined;

  constructor(db: Pick<Database, 'transaction' | 'durable' | 'run'>) {
    this.#db = db;
  }

  /** Resolves when the changes of `work` are durable. An error thrown by `work` fails all jobs that share the transaction. */
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

  /** The error of the last commit. Undefined if it succeeded. */
  get failure(): StoreError | undefined {
    return this.#failure;
  }

  /** A commit without changes. Throws StoreError. */
  async touch(): Promise<void> {
    await this.commit(() => this.#db.run(TOUCH), { isSingle: true });
  }

  /** Commits the waiting jobs. Never rejects: each failure is passed to the affected jobs. */
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
