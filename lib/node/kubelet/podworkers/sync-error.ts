/** A failure of a sync that says when to try again (upstream: NetworkNotReadyErrorMsg and BackoffError). */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** A passing condition of the node: the pod is tried again after a second. */
  readonly isTransient: boolean;
  /** The earliest end of a back-off, milliseconds since 1970. */
  readonly backoffUntil: number | undefined;

  constructor(
    message: string,
    { isTransient = false, backoffUntil, ...options }: ErrorOptions & SyncErrorDetails = {},
  ) {
    super(message, options);
    this.isTransient = isTransient;
    this.backoffUntil = backoffUntil;
  }
}

interface SyncErrorDetails {
  readonly isTransient?: boolean;
  readonly backoffUntil?: number | undefined;
}
