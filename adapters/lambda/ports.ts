import type { VouchedBy } from '#lib/authentication/authenticator.ts';

/** What makes a request of an event. */
export interface EventPorts {
  /** Asked for by requests that last. */
  signal(): AbortSignal;
  readonly vouched: VouchedBy;
}
