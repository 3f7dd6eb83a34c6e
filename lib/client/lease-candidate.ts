import type { Clock } from '#lib/machinery/clock.ts';
import { type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { dateOf, instantOf, microTimeText, parseTime, TimeError } from '#lib/machinery/time.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import type { Client, ObjectRef } from './client.ts';

const KIND = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
/**
 * Upstream's values in ms: how long others wait for a leader that does not renew, when a leader gives up, and
 * the pause between two attempts.
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
   * Whether the lease's own times determine when it expires. Callers that do not live long enough to observe the lease need that.
   * By default, a lease has expired if it was not renewed for its whole duration.
   */
  readonly trustsTimes?: boolean;
  /** Called when an attempt failed. It is retried. */
  onFault(error: unknown): void;
}

/** A candidate for a lease. */
export class LeaseCandidate {
  readonly #options: CandidateOptions;
  readonly #ref: ObjectRef;
  /**
   * The lease's record at the last attempt, and since when it is unchanged by the local clock. Clocks of other candidates may
   * be wrong.
   */
  #seen = '';
  #since = 0;
  #transitions = 0;

  constructor(options: CandidateOptions) {
    this.#options = options;
    this.#ref = { resource: LEASES, namespace: options.namespace, name: options.name };
  }

  /** How often the lease had changed hands when it was acquired. */
  get transitions(): number {
    return this.#transitions;
  }

  /** Acquires the lease or renews it. False if another candidate holds it, or if the server cannot be reached. */
  async attempt(): Promise<boolean> {
    try {
      return await this.#takeOrRenew();
    } catch (error) {
      this.#options.onFault(error);
      return false;
    }
  }

  /** Renews the lease until the signal aborts. Resolves with whether it was lost. */
  async keep(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    for (let renewed = clock.monotonic(); !signal.aborted; await clock.sleep(RETRY, signal)) {
      const left = Math.max(0, DEADLINE - (clock.monotonic() - renewed));
      if ((await atMost(left, () => this.attempt(), { clock, signal })) === true) renewed = clock.monotonic();
      else if (!signal.aborted && clock.monotonic() - renewed >= DEADLINE) return true;
    }
    return false;
  }

  /** Releases the lease, so that the next candidate need not wait. */
  async release(): Promise<void> {
    const { client, identity, onFault } = this.#options;
    try {
      const lease = await client.get(this.#ref);
      if (lease === undefined || stringAt(objectAt(lease, 'spec'), 'holderIdentity') !== identity) return;
      await client.update(this.#ref, { ...lease, spec: this.#spec(lease, { holder: '', seconds: 1 }) });
    } catch (error) {
      onFault(error);
    }
  }

  async #takeOrRenew(): Promise<boolean> {
    const { client, namespace, name, identity } = this.#options;
    const lease = await client.get(this.#ref);
    if (lease !== undefined && this.#isHeld(lease)) return false;
    const spec = this.#spec(lease, { holder: identity });
    if (lease === undefined) await client.create(LEASES, { ...KIND, metadata: { namespace, name }, spec });
    else await client.update(this.#ref, { ...lease, spec });
    this.#transitions = Number(ownField(spec, 'leaseTransitions') ?? 0);
    return true;
  }

  #isHeld(lease: JsonObject): boolean {
    const { clock, identity } = this.#options;
    const spec = objectAt(lease, 'spec');
    const record = JSON.stringify(spec ?? {});
    if (record !== this.#seen) [this.#seen, this.#since] = [record, clock.monotonic()];
    const holder = stringAt(spec, 'holderIdentity') ?? '';
    if (holder === '' || holder === identity) return false;
    if (this.#options.trustsTimes === true) return expiryOf(spec) > clock.now();
    return clock.monotonic() - this.#since < Number(ownField(spec, 'leaseDurationSeconds') ?? DURATION / 1000) * 1000;
  }

  #spec(
    before: JsonObject | undefined,
    { holder, seconds = this.#options.seconds ?? DURATION / 1000 }: { holder: string; seconds?: number },
  ): JsonObject {
    const now = microTimeText(instantOf(new Date(this.#options.clock.now())));
    const spec = objectAt(before, 'spec') ?? {};
    const isSame = ownField(spec, 'holderIdentity') === holder;
    const transitions = Number(ownField(spec, 'leaseTransitions') ?? 0);
    return {
      ...spec,
      holderIdentity: holder,
      leaseDurationSeconds: seconds,
      acquireTime: isSame ? (ownField(spec, 'acquireTime') ?? now) : now,
      renewTime: now,
      leaseTransitions: isSame || before === undefined || holder === '' ? transitions : transitions + 1,
    };
  }
}

/** The expiry by the lease's own times, in ms since 1970. */
function expiryOf(spec: JsonObject | undefined): number {
  const seconds = Number(ownField(spec, 'leaseDurationSeconds') ?? DURATION / 1000);
  return (renewedAt(spec) ?? 0) + seconds * 1000;
}

function renewedAt(spec: JsonObject | undefined): number | undefined {
  try {
    return dateOf(parseTime(stringAt(spec, 'renewTime') ?? '')).getTime();
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}
