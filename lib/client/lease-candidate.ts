import { type Lease, type LeaseSpec } from '#lib/api/types/coordination.v1.ts';
import { LEASES } from '#lib/api/types/resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import type { Client } from './client.ts';
import { type Clientset, clientset, type RefOf } from './clientset.ts';

const KIND = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
/**
 * Upstream's values in ms: the time that others wait for a leader that does not renew, the time after which a leader gives up, and the
 * pause between two attempts.
 */
const DURATION = 15_000;
const DEADLINE = 10_000;
/** The pause between two attempts, in ms. */
export const RETRY = 2000;

/** The lease that a candidate competes for. */
export interface CandidateOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly namespace: string;
  /** The Lease's name. */
  readonly name: string;
  /** The candidate's identity, unique among candidates. */
  readonly identity: string;
  /** The lease's duration in seconds. Default 15. */
  readonly seconds?: number;
  /**
   * Whether the times in the lease determine when it expires. Callers that are too short-lived to observe the lease need this. By default,
   * a lease expires if this candidate sees no renewal for its whole duration.
   */
  readonly trustsTimes?: boolean;
  /** Called when an attempt failed. It is retried. */
  onFault(error: unknown): void;
}

/** A candidate for a lease. */
export class LeaseCandidate {
  readonly #options: CandidateOptions;
  readonly #client: Clientset;
  readonly #ref: RefOf<Lease>;
  /**
   * The record of the lease at the last attempt, and the local time since which it has not changed. The clocks of other candidates may be
   * wrong.
   */
  #seen = '';
  #since = 0;
  #transitions = 0;

  constructor(options: CandidateOptions) {
    this.#options = options;
    this.#client = clientset(options.client);
    this.#ref = { resource: LEASES, namespace: options.namespace, name: options.name };
  }

  /** The number of times the lease had changed hands when it was acquired. */
  get transitions(): number {
    return this.#transitions;
  }

  /** Acquires or renews the lease. Returns false if another candidate holds it, or if the server is unreachable. */
  async attempt(): Promise<boolean> {
    try {
      return await this.#takeOrRenew();
    } catch (error) {
      this.#options.onFault(error);
      return false;
    }
  }

  /** Renews the lease until the signal aborts. Resolves with true if it was lost. */
  async keep(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    for (let renewed = clock.monotonic(); !signal.aborted; await clock.sleep(RETRY, signal)) {
      const left = Math.max(0, DEADLINE - (clock.monotonic() - renewed));
      if ((await atMost(left, () => this.attempt(), { clock, signal })) === true) renewed = clock.monotonic();
      else if (!signal.aborted && clock.monotonic() - renewed >= DEADLINE) return true;
    }
    return false;
  }

  /** Releases the lease, so that the next candidate does not have to wait. */
  async release(): Promise<void> {
    const { identity, onFault } = this.#options;
    try {
      const lease = await this.#client.get(this.#ref);
      if (lease === undefined || lease.spec.holderIdentity !== identity) return;
      await this.#client.update(this.#ref, { ...lease, spec: this.#spec(lease, { holder: '', seconds: 1 }) });
    } catch (error) {
      onFault(error);
    }
  }

  async #takeOrRenew(): Promise<boolean> {
    const { namespace, name, identity } = this.#options;
    const lease = await this.#client.get(this.#ref);
    if (lease !== undefined && this.#isHeld(lease)) return false;
    const spec = this.#spec(lease, { holder: identity });
    if (lease === undefined) await this.#client.create(LEASES, { ...KIND, metadata: { namespace, name }, spec });
    else await this.#client.update(this.#ref, { ...lease, spec });
    this.#transitions = spec.leaseTransitions ?? 0;
    return true;
  }

  #isHeld({ spec }: Lease): boolean {
    const { clock, identity } = this.#options;
    const record = JSON.stringify(spec);
    if (record !== this.#seen) [this.#seen, this.#since] = [record, clock.monotonic()];
    const { holderIdentity: holder = '', leaseDurationSeconds: seconds = DURATION / 1000 } = spec;
    if (holder === '' || holder === identity) return false;
    if (this.#options.trustsTimes === true) return expiryOf(spec) > clock.now();
    return clock.monotonic() - this.#since < seconds * 1000;
  }

  #spec(
    before: Lease | undefined,
    { holder, seconds = this.#options.seconds ?? DURATION / 1000 }: { holder: string; seconds?: number },
  ): LeaseSpec {
    const now = microTimeText(instantOf(new Date(this.#options.clock.now()))) ?? '';
    const spec: LeaseSpec = before?.spec ?? {};
    const isSame = spec.holderIdentity === holder;
    const transitions = spec.leaseTransitions ?? 0;
    return {
      ...spec,
      holderIdentity: holder,
      leaseDurationSeconds: seconds,
      acquireTime: isSame ? (spec.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: isSame || before === undefined || holder === '' ? transitions : transitions + 1,
    };
  }
}

/** The expiry according to the times in the lease, in ms since 1970. */
const expiryOf = ({ leaseDurationSeconds: seconds = DURATION / 1000, renewTime }: LeaseSpec): number =>
  (millisecondsOf(renewTime) ?? 0) + seconds * 1000;
