import type { Clock } from '#lib/machinery/clock.ts';
import { definitionOutline } from '#lib/server/apiextensions/outline.ts';
import type { Outline } from '#lib/storage/sequence.ts';

/** How far a log may run ahead of its state, in versions. */
export interface Lag {
  /** A writer checkpoints itself beyond this. */
  readonly checkpoint: number;
  /** A writer is refused beyond this. */
  readonly refuse: number;
}

/** The settings of a store on DynamoDB. */
export interface Options {
  readonly clock: Clock;
  /** Milliseconds that an entry is kept at least; far above `proofAge` plus the window of a signature (5 minutes). */
  readonly retention: number;
  /** Milliseconds after which the head must be proven again before a put is sent. */
  readonly proofAge: number;
  readonly lag: (name: string) => Lag;
  /** Which bodies are kept apart from a state, so that who loads it leaves them. */
  readonly outline: Outline;
}

const HOUR = 60 * 60 * 1000;
/** The settings of production; the clock has no default. */
export const DEFAULTS = {
  retention: HOUR,
  proofAge: 60_000,
  lag: (): Lag => ({ checkpoint: 200, refuse: 50_000 }),
  outline: definitionOutline,
} as const;
