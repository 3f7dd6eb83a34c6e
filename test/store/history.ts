import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { ChangeType, Version } from '#lib/storage/sequence.ts';

/** One change as a process observed it. `op` is globally unique. `count` counts the changes of a key. */
export interface Seen {
  readonly version: Version;
  readonly key: string;
  readonly type: ChangeType;
  readonly op: string;
  readonly count: number;
  readonly previous?: Version;
}

/** An event of one process, in order. `t` is in microseconds, from one clock for the whole machine. */
export type Event =
  /** Before the first attempt to write these operations. */
  | { readonly kind: 'send'; readonly ops: readonly string[]; readonly t: number }
  /** The write was acknowledged: its operations have the versions first, first + 1, … */
  | {
      readonly kind: 'ack';
      readonly ops: readonly string[];
      readonly first: Version;
      readonly last: Version;
      readonly t: number;
    }
  /** A fresh read of a key at the position `at`: its version, or none. */
  | {
      readonly kind: 'fresh';
      readonly key: string;
      readonly version?: Version;
      readonly at: Version;
      readonly since: number;
      readonly t: number;
    }
  /** The loaded state at a position, from which the process continues. */
  | { readonly kind: 'load'; readonly at: Version; readonly state: readonly (readonly [string, Version])[] }
  /** Changes that a watcher received, and the position that they reach. */
  | { readonly kind: 'seen'; readonly changes: readonly Seen[]; readonly last: Version };

export interface History {
  readonly actor: string;
  readonly events: readonly Event[];
}

/** The time in microseconds since the machine started. */
export const instant = (): number => Number(process.hrtime.bigint() / 1_000n);

/** Writes synchronously, so that a SIGKILL loses no recorded event. */
export const record = (file: string, event: Event): void => appendFileSync(file, `${JSON.stringify(event)}\n`);

/** The history in a file. A line that a SIGKILL cut off counts as not written. */
export function readHistory(actor: string, file: string): History {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return { actor, events: lines.map((line) => JSON.parse(line) as Event) };
}
