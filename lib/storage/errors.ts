/** The closed set of reasons for which storage refuses a call. `lib/server/registry/storage-status.ts` maps each to a `Status`. */
export type StoreErrorCode =
  /** The version asked for is compacted: read again from the head. */
  | 'Expired'
  /** The stored text is larger than the limit (1,572,864 bytes). */
  | 'TooLarge'
  /** A position above the proven head was asked for. */
  | 'FutureVersion'
  /** A continue token that this server did not issue, or of an unknown format. */
  | 'InvalidContinue'
  /** The log grew too far ahead of its checkpoint, or the backend throttles: try again later. */
  | 'Overloaded'
  /** The backend did not answer in time; the write may or may not have happened. */
  | 'Unavailable'
  /** There is no space for the write. Nothing was done; it succeeds when there is space again. */
  | 'NoSpace'
  /** The backend refuses this program, whatever it asks for: its credentials, its rights. Nothing was done. */
  | 'Refused'
  /** An entry, item or token of a newer format than this program reads. */
  | 'UnknownFormat'
  /** The stored bytes are not what a format number says. */
  | 'Corrupt'
  /** The stored bytes were encrypted with a key that is not here, or for another object. */
  | 'Undecryptable'
  /** The sequence or cache was closed. */
  | 'Closed';

/** The only error that storage throws, apart from faults of the program. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** The head known when the error was raised, where that helps the caller. */
  readonly head: number | undefined;
  /** Of FutureVersion: the version that was asked for. */
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
