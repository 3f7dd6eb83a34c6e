import type { Clock } from '#lib/machinery/clock.ts';

/** How far a log may run ahead of its state, in versions. */
export interface Lag {
  /** A writer checkpoints itself beyond this. */
  readonly checkpoint: number;
  /** A writer is refused beyond this. */
  readonly refuse: number;
}

export interface Options {
  readonly clock: Clock;
  /** Milliseconds that an entry is kept at least; far above `proofAge` plus the window of a signature (5 minutes). */
  readonly retention: number;
  /** Milliseconds after which the head must be proven again before a put is sent. */
  readonly proofAge: number;
  readonly lag: (name: string) => Lag;
}

const HOUR = 60 * 60 * 1000;
export const DEFAULTS = {
  retention: HOUR,
  proofAge: 60_000,
  lag: (): Lag => ({ checkpoint: 200, refuse: 50_000 }),
} as const;
