import type { Clock } from '#lib/machinery/clock.ts';
import type { Client } from './client.ts';
import { LeaseCandidate, RETRY } from './lease-candidate.ts';

/** The lease of an election, and its candidate. */
export interface ElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Numbers from 0 to below 1. */
  random(): number;
  readonly namespace: string;
  /** The Lease's name. */
  readonly name: string;
  /** The candidate's identity; no two candidates share one. */
  readonly identity: string;
  /** Ends the candidacy. A leader gives the lease back. */
  readonly signal: AbortSignal;
  /** An attempt failed, and is repeated. */
  onFault(error: unknown): void;
}

const JITTER = 1.2;

/**
 * Waits until it leads, and runs `lead` with a signal that aborts when it leads no longer: upstream's LeaderElector. Resolves when
 * `lead` has ended: false where the lease was lost, and another may lead by now.
 */
export async function elect(options: ElectionOptions, lead: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const candidate = new LeaseCandidate(options);
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
