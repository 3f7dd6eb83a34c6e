import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import type { Client, ObjectRef } from './client.ts';

export interface ElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Numbers from 0 to below 1. */
  random(): number;
  readonly namespace: string;
  /** The Lease's name. */
  readonly name: string;
  /** Who stands for election: unlike all others. */
  readonly identity: string;
  /** Ends the candidacy; who leads gives the lease back. */
  readonly signal: AbortSignal;
  /** An attempt failed, and is repeated. */
  onFault(error: unknown): void;
}

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
/** Milliseconds, as upstream's: others wait so long for who does not renew; who leads gives up earlier; between two attempts. */
const DURATION = 15_000;
const DEADLINE = 10_000;
const RETRY = 2000;
const JITTER = 1.2;

/**
 * Waits until it leads, and runs `lead` with a signal that aborts when it leads no longer: upstream's LeaderElector. Resolves when
 * `lead` has ended: false where the lease was lost, and another may lead by now.
 */
export async function elect(options: ElectionOptions, lead: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const candidate = new Candidate(options);
  const { clock, random, signal } = options;
  while (!signal.aborted && !(await candidate.attempt())) await clock.sleep(RETRY * (1 + random() * JITTER), signal);
  if (signal.aborted) return true;
  const lost = new AbortController();
  const done = new AbortController();
  const led = lead(AbortSignal.any([signal, lost.signal])).finally(() => done.abort());
  led.catch(() => undefined); // it is waited for below
  const isLost = await candidate.keep(AbortSignal.any([signal, done.signal]));
  if (isLost) lost.abort(new Error('the lease was lost'));
  await led;
  if (!isLost) await candidate.release();
  return !isLost;
}

class Candidate {
  readonly #options: ElectionOptions;
  readonly #ref: ObjectRef;
  /** What the lease said last, and since when, by our own clock: those of others may go wrong. */
  #seen = '';
  #since = 0;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#ref = { resource: LEASES, namespace: options.namespace, name: options.name };
  }

  /** Takes the lease, or renews it. False where another holds it, or nobody could be asked. */
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
      if (await this.#within(DEADLINE - (clock.monotonic() - renewed), signal)) renewed = clock.monotonic();
      else if (!signal.aborted && clock.monotonic() - renewed >= DEADLINE) return true;
    }
    return false;
  }

  /** So that the next one need not wait. */
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

  async #within(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const late = new AbortController();
    const timeout = this.#options.clock
      .sleep(Math.max(0, milliseconds), AbortSignal.any([signal, late.signal]))
      .then(() => false);
    return Promise.race([this.attempt(), timeout]).finally(() => late.abort());
  }

  async #takeOrRenew(): Promise<boolean> {
    const { client, namespace, name, identity } = this.#options;
    const lease = await client.get(this.#ref);
    if (lease === undefined) {
      const spec = this.#spec(undefined, { holder: identity });
      await client.create(LEASES, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { namespace, name },
        spec,
      });
      return true;
    }
    if (this.#isHeld(lease)) return false;
    await client.update(this.#ref, { ...lease, spec: this.#spec(lease, { holder: identity }) });
    return true;
  }

  #isHeld(lease: JsonObject): boolean {
    const { clock, identity } = this.#options;
    const spec = objectAt(lease, 'spec');
    const said = JSON.stringify(spec ?? {});
    if (said !== this.#seen) [this.#seen, this.#since] = [said, clock.monotonic()];
    const holder = stringAt(spec, 'holderIdentity') ?? '';
    if (holder === '' || holder === identity) return false;
    return clock.monotonic() - this.#since < Number(ownField(spec, 'leaseDurationSeconds') ?? DURATION / 1000) * 1000;
  }

  #spec(
    before: JsonObject | undefined,
    { holder, seconds = DURATION / 1000 }: { holder: string; seconds?: number },
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
