import type { Clock } from '#lib/machinery/clock.ts';
import { SYSTEM_MASTERS, UNAUTHENTICATED, type User } from '#lib/server/authentication/user.ts';
import type { RateLedger } from './rate-ledger.ts';

/** The ports and the limit. */
export interface IdentityRateOptions {
  readonly clock: Clock;
  readonly ledger: RateLedger;
  readonly requestsPerSecond: number;
  /** In [0, 1); spreads the attempts of processes. */
  random(): number;
}

/** Seconds of its rate that an identity may send at once. */
const BURST_SECONDS = 4;
/** Requests that a process charges together: few while it does not know the account, or others use up the burst. */
const LEAST = 5;
const MOST = 20;
/** Milliseconds that a process refuses an identity for, without a look at its account: doubled up to the latter. */
const FIRST_REFUSAL = 1000;
const LONGEST_REFUSAL = 4000;
/** Identities that a process remembers. */
const REMEMBERED = 1000;

/** A process' knowledge of an identity. */
interface Seen {
  unpaid: number;
  /** Charges so many requests together. */
  batch: number;
  refusedUntil: number;
  refusals: number;
}

/**
 * Bounds the requests of one identity a second over all processes, however many serve it. A process charges the requests that it
 * let through in batches, so that a request costs a twentieth of a write in the long run. A client with a few requests costs
 * nothing. A ledger that does not answer limits nobody.
 */
export class IdentityRate {
  readonly #options: IdentityRateOptions;
  readonly #seen = new Map<string, Seen>();

  constructor(options: IdentityRateOptions) {
    this.#options = options;
  }

  /** The limit, in requests a second. */
  get requestsPerSecond(): number {
    return this.#options.requestsPerSecond;
  }

  /** Undefined if the request may go on, or whole seconds after which its client may try again. */
  async admit({ name, groups }: User): Promise<number | undefined> {
    if (groups.includes(SYSTEM_MASTERS) || groups.includes(UNAUTHENTICATED)) return undefined;
    const seen = this.#of(name);
    const now = this.#options.clock.now();
    if (now < seen.refusedUntil) return Math.ceil((seen.refusedUntil - now) / 1000);
    seen.unpaid++;
    return seen.unpaid < seen.batch ? undefined : this.#charge(name, seen);
  }

  async #charge(name: string, seen: Seen): Promise<number | undefined> {
    const { ledger, clock, requestsPerSecond, random } = this.#options;
    const requests = seen.unpaid;
    seen.unpaid = 0;
    const charge = { cost: Math.ceil((requests * 1000) / requestsPerSecond), allowance: BURST_SECONDS * 1000 };
    const account = await ledger.charge(name, charge).catch(() => undefined);
    if (account === undefined) return undefined;
    const left = 1 - (account.busyUntil - clock.now()) / charge.allowance;
    seen.batch = batchOf(account.charged ? left : 0);
    if (account.charged) {
      seen.refusals = 0;
      return undefined;
    }
    seen.unpaid += requests - 1;
    const pause = Math.min(FIRST_REFUSAL * 2 ** seen.refusals++, LONGEST_REFUSAL) * (1 + random() / 2);
    seen.refusedUntil = Math.max(clock.now() + pause, account.busyUntil - charge.allowance);
    return Math.ceil((seen.refusedUntil - clock.now()) / 1000);
  }

  /** The least recently seen identity makes room for a new one. */
  #of(name: string): Seen {
    const seen = this.#seen.get(name) ?? { unpaid: 0, batch: LEAST, refusedUntil: 0, refusals: 0 };
    this.#seen.delete(name);
    this.#seen.set(name, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    return seen;
  }
}

/** By the share of the burst that is left. It falls faster than the share: many processes may think the same. */
const batchOf = (left: number): number => Math.max(LEAST, Math.floor(MOST * Math.max(0, left) ** 2));
