import type { Clock } from '#lib/machinery/clock.ts';
import { jitter } from '#lib/machinery/wait/jitter.ts';
import type { Client } from './client.ts';
import { LeaseCandidate, RETRY } from './lease-candidate.ts';

/** The lease of an election and one candidate. */
export interface ElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Returns numbers from 0 to below 1. */
  random(): number;
  readonly namespace: string;
  /** The Lease's name. */
  readonly name: string;
  /** The candidate's identity, unique among candidates. */
  readonly identity: string;
  /** Ends the candidacy. A leader releases the lease. */
  readonly signal: AbortSignal;
  /** Called when an attempt failed. It is retried. */
  onFault(error: unknown): void;
}

const JITTER = 1.2;

/**
 * Waits for leadership, then runs `lead` with a signal that aborts when leadership is lost: upstream's LeaderElector. Resolves when `lead`
 * has ended. Resolves with false if the lease was lost, because another candidate may then already lead.
 */
export async function elect(options: ElectionOptions, lead: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const candidate = new LeaseCandidate(options);
  const { clock, random, signal } = options;
  while (!signal.aborted && !(await candidate.attempt())) await clock.sleep(jitter(RETRY, JITTER, random), signal);
  if (signal.aborted) return true;
  const lost = new AbortController();
  const done = new AbortController();
  const led = lead(AbortSignal.any([signal, lost.signal])).finally(() => done.abort());
  led.catch(() => undefined); // awaited below
  const isLost = await candidate.keep(AbortSignal.any([signal, done.signal]));
  if (isLost) lost.abort(new Error('the lease was lost'));
  await led;
  if (!isLost) await candidate.release();
  return !isLost;
}
