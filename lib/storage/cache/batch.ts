import { StoreError } from '../errors.ts';
import { MAX_BODY_BYTES, MAX_CHANGES } from '../limits.ts';
import type { Change, Summary, Version } from '../sequence.ts';
import { stamp } from '../stamp.ts';
import type { MutationResult, Outcome, StoredObject } from '../storage.ts';
import { itemOf, pickSummary } from './item.ts';

/** The size limit in bytes of an entry with more than one change. */
const MAX_BYTES = 350 * 1024;

type Write =
  | { readonly action: 'put'; readonly body: Uint8Array; readonly summary: Summary; readonly view?: string }
  | { readonly action: 'delete'; readonly body?: Uint8Array };

/** One run of a mutation: its outcome, and the callbacks that settle the caller's promise. */
interface Run {
  readonly write: Write | undefined;
  settle(stored?: StoredObject): void;
  fail(error: unknown): void;
}

/** A queued mutation. */
export interface PendingWrite {
  readonly key: string;
  /** The monotonic time of arrival. */
  readonly arrived: number;
  readonly run: (current: StoredObject | undefined) => Run;
  readonly reject: (error: unknown) => void;
}

/** The state that a batch is computed against: the head of the log and the objects at that version. */
export interface State {
  readonly head: Version;
  readonly lookup: (key: string) => StoredObject | undefined;
  /** Whether the log will certainly keep this version for as long as readers need it. */
  readonly isYoung: (version: Version) => boolean;
}

/** The changes of one append, and the queued mutations that it settles. */
export interface Batch {
  /** The number of mutations at the start of the queue that fit into the entry. */
  readonly taken: number;
  readonly changes: readonly Change[];
  /** The objects after the changes, one for each change. Callers and readers share these objects and the data derived from them. */
  readonly objects: readonly StoredObject[];
  /** Settles the callers. Call it only after `changes` are committed directly after the state's head. */
  settle(): void;
}

/** Creates a mutation for a batch. `fn` runs against the current object when the batch is built, and again after a lost append. */
export function pending<T>(
  key: string,
  arrived: number,
  fn: (current: StoredObject | undefined) => Outcome<T>,
  resolve: (mutated: MutationResult<T>) => void,
  reject: (error: unknown) => void,
): PendingWrite {
  const run = (current: StoredObject | undefined): Run => {
    try {
      const outcome = fn(current);
      const { result } = outcome;
      return {
        write: outcome.action === 'keep' ? undefined : outcome,
        settle: (stored) => resolve(stored === undefined ? { result } : { result, stored }),
        fail: reject,
      };
    } catch (error) {
      return { write: undefined, settle: () => reject(error), fail: reject };
    }
  };
  return { key, arrived, run, reject };
}

/** Runs mutations in order. Each sees the results of the earlier ones in the batch. */
export function draft(queue: readonly PendingWrite[], state: State): Batch {
  const changes: Change[] = [];
  const objects: StoredObject[] = [];
  const settlers: (() => void)[] = [];
  const left = new Map<string, StoredObject | undefined>();
  let bytes = 0;
  let taken = 0;
  for (const { key, run } of queue) {
    const current = left.has(key) ? left.get(key) : state.lookup(key);
    const { change, view, settle } = attempt(run, key, current, state.head + changes.length + 1, state);
    if (change === undefined) {
      settlers.push(settle);
    } else {
      bytes += change.body.length + (change.previousBody?.length ?? 0);
      if (changes.length > 0 && bytes > MAX_BYTES) break;
      const stored = itemOf(change);
      if (view !== undefined) stored.views.set(view, stored.body);
      left.set(key, change.type === 'DELETED' ? undefined : stored);
      changes.push(change);
      objects.push(stored);
      settlers.push(() => settle(stored));
    }
    taken++;
    if (changes.length === MAX_CHANGES) break;
  }
  return { taken, changes, objects, settle: () => settlers.forEach((settle) => settle()) };
}

interface Attempt {
  readonly change?: Change;
  readonly view?: string | undefined;
  settle(stored?: StoredObject): void;
}

/** An error thrown by a mutation affects only its own caller. */
function attempt(
  run: PendingWrite['run'],
  key: string,
  current: StoredObject | undefined,
  version: Version,
  state: State,
): Attempt {
  const { write, settle, fail } = run(current);
  try {
    const change = write && propose(key, write, current, version, state);
    if (change === undefined) return { settle };
    return { change, settle, view: write?.action === 'put' ? write.view : undefined };
  } catch (error) {
    return { settle: () => fail(error) };
  }
}

/** The change that a write makes at `version`; undefined if there is nothing to delete. */
function propose(
  key: string,
  write: Write,
  current: StoredObject | undefined,
  version: Version,
  state: State,
): Change | undefined {
  if (write.action === 'delete') {
    if (current === undefined) return undefined;
    const body = stamp(write.body ?? current.body, version);
    return { version, key, type: 'DELETED', body, ...pickSummary(current.summary), ...previousOf(current, state) };
  }
  const body = stamp(write.body, version);
  if (body.length > MAX_BODY_BYTES) throw tooLarge(body.length);
  const what = { version, key, body, ...pickSummary(write.summary) };
  return current === undefined
    ? { ...what, type: 'ADDED' }
    : { ...what, type: 'MODIFIED', ...previousOf(current, state) };
}

function previousOf(current: StoredObject, { isYoung }: State): Pick<Change, 'previous' | 'previousBody'> {
  const { version, body, summary } = current;
  const previous = { version, ...pickSummary(summary) };
  return isYoung(version) || current.damage !== undefined ? { previous } : { previous, previousBody: body };
}

const tooLarge = (bytes: number): StoreError =>
  new StoreError('TooLarge', `the stored object has ${bytes} bytes, ${MAX_BODY_BYTES} are the limit`);
