import type { VouchedBy } from '#lib/server/authentication/authenticator.ts';

/** The ports that turn an event into a request. */
export interface EventPorts {
  /** Used by long-running requests only. */
  signal(): AbortSignal;
  readonly vouched: VouchedBy;
}
