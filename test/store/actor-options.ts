import { fileURLToPath } from 'node:url';

/** A deliberate bug in a process, to verify that the checker finds it. */
export type Plant = 'stale-writer' | 'early-ack' | 'stale-read' | 'skip' | 'duplicate';

export interface ActorOptions {
  readonly role: 'writer' | 'watcher' | 'recorder';
  readonly actor: string;
  readonly url: string;
  readonly sequence: string;
  readonly seed: number;
  /** The file of the history. */
  readonly file: string;
  /** The process works until this file exists. The file contains the last version, which watchers must reach. */
  readonly stopFile: string;
  /** Whether throttles, lost requests and responses, conflicts and stale reads are injected. */
  readonly faults: boolean;
  readonly plant?: Plant;
}

/** The name of the recorder's cursor, which prevents the removal of entries that it has not read. */
export const RECORDER = 'recorder';

export const ACTOR_PROGRAM = fileURLToPath(new URL('./actor.ts', import.meta.url));
