import type { Client } from '#lib/client/client.ts';
import { type BatchPorts, type DeliveryResult, type Worker, workOnBatch } from '#lib/client/controller/batch.ts';
import { messageIn, messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { changeOf } from '#lib/client/controller/object-change.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { EXPIRE } from '#lib/controllers/event-ttl/reconcile.ts';
import { asGone, BUILT_IN, keysAround, keysOf, type Reader, readOnce, remind } from '#lib/controllers/first-hop.ts';
import { listOwned } from '#lib/controllers/garbage-collector/listed-dependents.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { readable } from '#lib/storage/damage.ts';
import type { DependentsIndex } from '#lib/storage/dependents.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { DEFAULT_CLUSTER, parseKey } from '#lib/storage/keys.ts';
import type { Change, SequenceStore, Version } from '#lib/storage/sequence.ts';

/** The available built-in reconcilers. New instances are created for each message, because other processes work concurrently. */
export interface BuiltIns {
  make(): readonly Reconciler[];
  /** Reconcilers that are kept for the lifetime of the process, because they measure how long a condition lasts. */
  readonly lasting: readonly Reconciler[];
  /** Names of disabled reconcilers. Their delayed messages are dropped. */
  readonly off: ReadonlySet<string>;
  readonly store: Pick<SequenceStore, 'sequence'>;
  readonly index: DependentsIndex;
  /** Reads state that a long-running process would keep in memory. */
  readonly client: Client;
}

const AT_ONCE = 8;

/** Processes messages of the FIFO queue. Resolves with the ids of the messages that the queue must redeliver. */
export function work(
  batch: readonly DeliveryResult[],
  builtIns: BuiltIns,
  ports: Omit<BatchPorts, 'workerOf'>,
): Promise<readonly string[]> {
  const names = new Set(builtIns.make().map(({ name }) => name));
  const read = readOnce(builtIns.client); // valid for the whole batch, because its changes were committed before the batch arrived
  const workerOf = (name: string): Worker | undefined => {
    if (name === BUILT_IN)
      return { maxConcurrent: AT_ONCE, work: (message) => hop(message, builtIns, { ...ports, read }) };
    if (names.has(name)) return { maxConcurrent: AT_ONCE, work: (message) => reconcile(message, builtIns) };
    return builtIns.off.has(name) ? DONE : undefined;
  };
  return workOnBatch(batch, { ...ports, workerOf });
}

const DONE: Worker = { maxConcurrent: AT_ONCE, work: async () => undefined };

/** Forwards delayed messages to the end of their object's queue. Resolves with the ids of the messages that failed. */
export async function forward(
  batch: readonly DeliveryResult[],
  { queues, onError }: Pick<BatchPorts, 'queues' | 'onError'>,
): Promise<readonly string[]> {
  const returned: string[] = [];
  for (const { id, body } of batch) {
    const message = messageIn(body);
    const sent = message === undefined ? queues.deadLetter(body, 'no message for a reconciler') : queues.send(message);
    await sent.catch((error: unknown) => {
      if (message !== undefined) onError(message, error);
      returned.push(id);
    });
  }
  return returned;
}

/**
 * The initial messages of reconcilers: their initial keys, and keys that only become due with time. A schedule sends them, and repeated
 * messages have no effect.
 */
export function initialMessages({ make }: Pick<BuiltIns, 'make'>, nonce: () => string): readonly ReconcileMessage[] {
  return make().flatMap(({ name: reconciler, initial = [] }) =>
    [...initial, ...(TIMED[reconciler] ?? [])].map((name) => ({
      ...messageOf({ reconciler, cluster: DEFAULT_CLUSTER, namespace: '', name, sequence: '', version: 0 }),
      later: nonce(),
    })),
  );
}

/** Keys of reconcilers whose changes are not queued. */
const TIMED: Readonly<Record<string, readonly string[]>> = { 'event-ttl': [EXPIRE] };

/** Reconcilers whose delays are not stored as times, so a new process starts the delays again. They read the objects that they work on. */
const LASTING = new Set(['node-lifecycle', 'pod-garbage-collector']);

async function reconcile({ reconciler: name, name: key }: ReconcileMessage, builtIns: BuiltIns) {
  const among = LASTING.has(name) ? builtIns.lasting : builtIns.make();
  const reconciler = among.find((one) => one.name === name);
  if (reconciler === undefined) return undefined;
  await remind(reconciler, key, builtIns);
  return reconciler.reconcile(key);
}

/**
 * Reads the change that a message refers to, and sends a message for each affected key. A failure of one reconciler does not delay the
 * others.
 */
async function hop(
  message: ReconcileMessage,
  builtIns: BuiltIns,
  { queues, known, read }: Pick<BatchPorts, 'queues' | 'known'> & { readonly read: Reader },
) {
  const { keysFor, version } = await concernOf(message, builtIns, read);
  const { cluster, sequence } = message;
  const faults: unknown[] = [];
  for (const reconciler of builtIns.make()) {
    try {
      for (const name of await keysFor(reconciler)) {
        const next = messageOf({ reconciler: reconciler.name, cluster, namespace: '', name, sequence, version });
        if (!known.has(next)) await queues.send(next);
      }
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  return undefined;
}

interface Concern {
  keysFor(reconciler: Reconciler): Promise<readonly string[]>;
  /** The version that includes the change, for the messages to reconcilers. */
  readonly version: Version;
}

/**
 * Determines the affected keys. If the message is older than the log's retention, every object that the change may have affected is
 * reconciled.
 */
async function concernOf(message: ReconcileMessage, builtIns: BuiltIns, read: Reader): Promise<Concern> {
  const { client, store } = builtIns;
  const found = await changeAt(message, builtIns);
  if (found !== undefined)
    return { keysFor: (one) => keysOf(one, found.change, { ...found, read }), version: message.version };
  const version = await store.sequence(message.sequence).head();
  const change = await stateOf(message, builtIns);
  const owned = (namespace: string) => listOwned(client, namespace);
  return { keysFor: (one) => keysAround(one, change, { read, owned }), version };
}

interface LoggedChange {
  readonly change: ObjectChange;
  readonly before: ObjectChange | undefined;
}

/** Undefined if the log no longer contains the change or the previous state, or if they cannot be read. */
async function changeAt(
  { sequence, version }: ReconcileMessage,
  { store }: BuiltIns,
): Promise<LoggedChange | undefined> {
  const change = await entryAt(store, sequence, version);
  if (change === undefined) return undefined;
  const { key, type, body, previous, previousBody } = change;
  if (previous === undefined) return { change: changeOf(type, { key, body, summary: change }), before: undefined };
  const last = type === 'DELETED' ? body : undefined;
  const old = previousBody ?? (await entryAt(store, sequence, previous.version))?.body ?? last;
  if (old === undefined) return undefined;
  const before = changeOf('ADDED', { key, body: old, summary: previous });
  return { change: changeOf(type, { key, body, summary: change }, { body: old }), before };
}

/** The object's last folded state as an ADDED change, or a deletion if none exists. */
async function stateOf({ cluster, sequence, name }: ReconcileMessage, { store }: BuiltIns): Promise<ObjectChange> {
  const key = `${cluster}/${name.slice(0, name.lastIndexOf('@'))}`;
  const item = readable((await store.sequence(sequence).read(key)).item);
  if (item === undefined) return asGone(parseKey(key));
  const { body } = item;
  return changeOf('ADDED', { key, body, summary: summarizeBody(body) });
}

async function entryAt(store: BuiltIns['store'], sequence: string, version: Version): Promise<Change | undefined> {
  try {
    const page = await store.sequence(sequence).readLog(version - 1, { limit: 1, consistent: true });
    return page.changes.find((change) => change.version === version && change.damage === undefined);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'Expired') return undefined;
    throw error;
  }
}
