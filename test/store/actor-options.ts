import { fileURLToPath } from 'node:url';

/** A bug that a process has on purpose, so that the checker is seen to find it. */
export type Plant = 'stale-writer' | 'early-ack' | 'stale-read' | 'skip' | 'duplicate';

export interface ActorOptions {
  readonly role: 'writer' | 'watcher' | 'recorder';
  readonly actor: string;
  readonly url: string;
  readonly sequence: string;
  readonly seed: number;
  /** The file of the history. */
  readonly file: string;
  /** The process works until this file exists. The file holds the last version, up to which watchers continue. */
  readonly stopFile: string;
  /** Whether throttles, lost requests and responses, conflicts and stale reads are injected. */
  readonly faults: boolean;
  readonly plant?: Plant;
}

/** The name of the recorder's cursor: no entry that it has not read is dropped. */
export const RECORDER = 'recorder';

export const ACTOR_PROGRAM = fileURLToPath(new URL('./actor.ts', import.meta.url));
