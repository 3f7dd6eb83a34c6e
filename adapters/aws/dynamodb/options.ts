import type { Clock } from '#lib/machinery/clock.ts';
import { definitionOutline } from '#lib/server/apiextensions/outline.ts';
import type { Outline } from '#lib/storage/sequence.ts';

/** Limits in versions on how far a log may run ahead of its state. */
export interface Lag {
  /** A writer that finds a greater lag runs a checkpoint itself. */
  readonly checkpoint: number;
  /** A writer that finds a greater lag is refused. */
  readonly refuse: number;
}

/** The settings of a store on DynamoDB. */
export interface Options {
  readonly clock: Clock;
  /** Minimum time in ms that an entry is kept. It must far exceed `proofAge` plus the validity of a signature (5 minutes). */
  readonly retention: number;
  /** Time in ms after which the head must be proven again before a put. */
  readonly proofAge: number;
  readonly lag: (name: string) => Lag;
  /** Selects the bodies that are stored separately from a state, so that a reader of the state need not load them. */
  readonly outline: Outline;
}

const HOUR = 60 * 60 * 1000;
/** The settings of production. The clock has no default. */
export const DEFAULTS = {
  retention: HOUR,
  proofAge: 60_000,
  lag: (): Lag => ({ checkpoint: 200, refuse: 50_000 }),
  outline: definitionOutline,
} as const;
