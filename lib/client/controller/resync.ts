import type { Clock } from '#lib/machinery/clock.ts';
import type { Reconciler } from './reconciler.ts';

/** The ports of a resync. */
export interface ResyncPorts {
  readonly clock: Clock;
  add(key: string): void;
  onFault(error: unknown): void;
  readonly signal: AbortSignal;
}

/** Periodically adds all keys of a reconciler that requests this, until the signal aborts. */
export async function resync(wanted: Reconciler['resync'], ports: ResyncPorts): Promise<void> {
  const { clock, add, onFault, signal } = ports;
  if (wanted === undefined) return;
  for (await clock.sleep(wanted.period, signal); !signal.aborted; await clock.sleep(wanted.period, signal)) {
    const keys = await wanted.keys().catch((error: unknown) => {
      onFault(error);
      return [];
    });
    for (const key of keys) add(key);
  }
}
