/**
 * The request accounts of identities, shared by all processes. `rate-ledger.conformance.ts` is the test suite for every implementation.
 * Throws StoreError if the accounts are unavailable.
 */
export interface RateLedger {
  /** Charges an identity, unless its debt exceeds the allowance. */
  charge(identity: string, charge: Charge): Promise<Account>;
}

/** The cost of requests. It is measured as the time that they take at the rate of an identity. */
export interface Charge {
  /** The cost of the charged requests in ms. */
  readonly cost: number;
  /** The maximum debt of an identity before a charge, in ms: its burst. */
  readonly allowance: number;
}

/** An account after a charge. */
export interface Account {
  /** False if the debt exceeded the allowance, so that the charge was rejected. */
  readonly charged: boolean;
  /** The time when the debt is paid off, in ms since 1970. */
  readonly busyUntil: number;
}
