/**
 * The requests of each identity, charged by all processes to one account; `rate-ledger.conformance.ts` is the suite of every
 * implementation. Throws StoreError if the accounts cannot be reached.
 */
export interface RateLedger {
  /** Charges an identity, unless what it owes takes more than the allowance to work off. */
  charge(identity: string, charge: Charge): Promise<Account>;
}

/** The time that requests take at the rate of an identity. */
export interface Charge {
  /** Milliseconds of the requests that are charged. */
  readonly cost: number;
  /** Milliseconds that an identity may owe before it is charged: its burst. */
  readonly allowance: number;
}

/** An account after a charge. */
export interface Account {
  /** False if the identity owed more than the allowance, so that nothing was charged. */
  readonly charged: boolean;
  /** When all that was charged is worked off, in milliseconds since 1970. */
  readonly busyUntil: number;
}
