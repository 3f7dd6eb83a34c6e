import { closeSync, fdatasync, fstatSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { SingleFlight } from '#lib/storage/cache/single-flight.ts';
import { StoreError } from '#lib/storage/errors.ts';

const syncData = promisify(fdatasync);

const MEBIBYTE = 1024 * 1024;

/**
 * Puts the write-ahead log on the disk from a thread of the pool, so that requests go on meanwhile: what SQLite's
 * synchronous=FULL does behind each commit on the thread that commits.
 */
export class WalSync {
  readonly #path: string;
  readonly #flight = new SingleFlight(() => this.#sync());
  #file: number | undefined;
  #failure: StoreError | undefined;

  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
  }

  /** Resolves when all that is committed now is durable. After a failure nothing is: the system may have dropped what it could not write. */
  durable(): Promise<void> {
    return this.#flight.run();
  }

  /**
   * Fills the log with zeros up to this length, so that a sync writes data and no new length, which takes a quarter less time:
   * etcd does so too. SQLite takes zeros for the end of the log. To be called under the lock of writers.
   */
  reserve(bytes: number): void {
    const zeros = Buffer.alloc(MEBIBYTE);
    for (let end = fstatSync(this.#open()).size; end < bytes; end += MEBIBYTE)
      writeSync(this.#open(), zeros, 0, Math.min(MEBIBYTE, bytes - end), end);
  }

  /** Throws the failure of the sync that failed. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** To be called when nothing waits any more. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  async #sync(): Promise<void> {
    this.check();
    try {
      await syncData(this.#open());
    } catch (error) {
      this.#failure = new StoreError(
        'Unavailable',
        'the log could not be written to the disk; start the server again',
        { cause: error },
      );
      throw this.#failure;
    }
  }

  /** It stays while a connection is open. */
  #open(): number {
    return (this.#file ??= openSync(this.#path, 'r+'));
  }
}
