import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { SYSTEM_MASTERS, UNAUTHENTICATED, type User } from '#lib/server/authentication/user.ts';
import type { RateLedger } from './rate-ledger.ts';

/** The ports and the limit. */
export interface IdentityRateOptions {
  readonly clock: Clock;
  readonly ledger: RateLedger;
  readonly requestsPerSecond: number;
  /** Returns a number in [0, 1) that spreads the retries of processes. */
  random(): number;
}

/** The burst of an identity, in seconds of its rate. */
const BURST_SECONDS = 4;
/** The number of requests that a process charges together. It is small if the account is unknown or if other processes use up the burst. */
const LEAST = 5;
const MOST = 20;
/** How long a process rejects an identity without charging its account, in ms. */
const REFUSAL = { duration: 1000, factor: 2, jitter: 0.5, cap: 4000 };
/** The number of identities that a process remembers. */
const REMEMBERED = 1000;

/** The state of an identity in this process. */
interface Seen {
  unpaid: number;
  /** The number of requests that are charged together. */
  batch: number;
  refusedUntil: number;
  refusals: number;
}

/**
 * Limits the requests per second of one identity across all processes. A process charges admitted requests in batches, so that in the long
 * run a request costs a twentieth of a write. A client with a few requests costs nothing. If the ledger is unavailable, requests are not
 * limited.
 */
export class IdentityRate {
  readonly #options: IdentityRateOptions;
  readonly #seen = new Map<string, Seen>();

  constructor(options: IdentityRateOptions) {
    this.#options = options;
  }

  /** The limit in requests per second. */
  get requestsPerSecond(): number {
    return this.#options.requestsPerSecond;
  }

  /** Undefined if the request is admitted. Otherwise the whole seconds after which the client may retry. */
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
    const pause = delayAfter(++seen.refusals, REFUSAL, random);
    seen.refusedUntil = Math.max(clock.now() + pause, account.busyUntil - charge.allowance);
    return Math.ceil((seen.refusedUntil - clock.now()) / 1000);
  }

  /** Returns the state of an identity. For a new one, evicts the least recently seen one. */
  #of(name: string): Seen {
    const seen = this.#seen.get(name) ?? { unpaid: 0, batch: LEAST, refusedUntil: 0, refusals: 0 };
    this.#seen.delete(name);
    this.#seen.set(name, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    return seen;
  }
}

/**
 * Derives the batch size from the remaining share of the burst. It shrinks faster than the share, because many processes may read the same
 * value.
 */
const batchOf = (left: number): number => Math.max(LEAST, Math.floor(MOST * Math.max(0, left) ** 2));
