/** A sync failure with the time of its retry (upstream: NetworkNotReadyErrorMsg and BackoffError). */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** A transient condition of the node: the pod is retried after a second. */
  readonly isTransient: boolean;
  /** The earliest end of a back-off in milliseconds since 1970. */
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
