/** All reasons why storage rejects a call. `lib/server/registry/storage-status.ts` maps each to a `Status`. */
export type StoreErrorCode =
  /** The requested version is compacted. Read again from the head. */
  | 'Expired'
  /** The stored body exceeds the limit of 1,572,864 bytes. */
  | 'TooLarge'
  /** The requested position is above the proven head. */
  | 'FutureVersion'
  /** The continue token is not from this server, or has an unknown format. */
  | 'InvalidContinue'
  /** The log is too far ahead of its checkpoint, or the backend throttles. Try again later. */
  | 'Overloaded'
  /** The backend did not respond in time. The write may or may not have happened. */
  | 'Unavailable'
  /** There is no disk space for the write. Nothing was written. A retry succeeds once space is free. */
  | 'NoSpace'
  /** The backend rejects this program's credentials or permissions for any request. Nothing was written. */
  | 'Refused'
  /** An entry, item or token has a newer format than this program reads. */
  | 'UnknownFormat'
  /** The stored bytes do not match their format number. */
  | 'Corrupt'
  /** The stored bytes were encrypted with an unavailable key, or for another object. */
  | 'Undecryptable'
  /** The sequence or cache was closed. */
  | 'Closed';

/** The only error class that storage throws, except for bugs. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** The head known when the error was raised, if that helps the caller. */
  readonly head: number | undefined;
  /** For FutureVersion: the requested version. */
  readonly requested: number | undefined;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { head?: number; requested?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.head = options.head;
    this.requested = options.requested;
  }
}
