import type { VouchedBy } from '#lib/server/authentication/authenticator.ts';

/** The ports that turn an event into a request. */
export interface EventPorts {
  /** Asked for by requests that last. */
  signal(): AbortSignal;
  readonly vouched: VouchedBy;
}
