import { workOnBatch, type BatchPorts, type Delivered, type Worker } from '#lib/controller/batch.ts';
import { decodeMessage, messageOf, type ReconcileMessage } from '#lib/controller/delivery.ts';
import { changeOf } from '#lib/controller/object-change.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import type { Client } from '#lib/client/client.ts';
import { BUILT_IN, keysOf, listOnce, remind } from '#lib/controllers/first-hop.ts';
import { EXPIRE } from '#lib/controllers/event-ttl/reconcile.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { summarizeBody } from '#lib/registry/summarize-body.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Change, SequenceStore, Version } from '#lib/storage/sequence.ts';

/** Which built-in reconcilers there are: made anew for each piece of work, since others work beside this process. */
export interface BuiltIns {
  make(): readonly Reconciler[];
  readonly store: Pick<SequenceStore, 'sequence'>;
  /** Reads what reconcilers would remember. */
  readonly client: Client;
}

const AT_ONCE = 8;

/** Works on deliveries of the FIFO queue. Resolves with those that it must make again. */
export function work(
  batch: readonly Delivered[],
  builtIns: BuiltIns,
  ports: Omit<BatchPorts, 'workerOf'>,
): Promise<readonly string[]> {
  const names = new Set(builtIns.make().map(({ name }) => name));
  const workerOf = (name: string): Worker | undefined => {
    if (name === BUILT_IN) return { maxConcurrent: AT_ONCE, work: (message) => hop(message, builtIns, ports) };
    return names.has(name) ? { maxConcurrent: AT_ONCE, work: (message) => reconcile(message, builtIns) } : undefined;
  };
  return workOnBatch(batch, { ...ports, workerOf });
}

/** Sends what has waited on to its place behind the others of its object. Resolves with the deliveries that were not. */
export async function forward(
  batch: readonly Delivered[],
  { queues, onError }: Pick<BatchPorts, 'queues' | 'onError'>,
): Promise<readonly string[]> {
  const returned: string[] = [];
  for (const { id, body } of batch) {
    const message = decodedOrNone(body);
    const sent = message === undefined ? queues.deadLetter(body, 'no message for a reconciler') : queues.send(message);
    await sent.catch((error: unknown) => {
      if (message !== undefined) onError(message, error);
      returned.push(id);
    });
  }
  return returned;
}

/**
 * What reconcilers begin with whatever there is, and what only time tells: for a schedule. Sent again it is done again, and changes
 * nothing.
 */
export function beginning({ make }: Pick<BuiltIns, 'make'>, nonce: () => string): readonly ReconcileMessage[] {
  return make().flatMap(({ name: reconciler, initial = [] }) =>
    [...initial, ...(TIMED[reconciler] ?? [])].map((name) => ({
      ...messageOf({ reconciler, cluster: DEFAULT_CLUSTER, namespace: '', name, sequence: '', version: 0 }),
      later: nonce(),
    })),
  );
}

/** Keys of reconcilers whose changes make no hop. */
const TIMED: Readonly<Record<string, readonly string[]>> = { 'event-ttl': [EXPIRE] };

function decodedOrNone(body: string): ReconcileMessage | undefined {
  try {
    return decodeMessage(body);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function reconcile({ reconciler: name, name: key }: ReconcileMessage, { make, client }: BuiltIns) {
  const reconciler = make().find((one) => one.name === name);
  if (reconciler === undefined) return undefined;
  await remind(reconciler, namespaceIn(key), listOnce(client));
  return reconciler.reconcile(key);
}

/** Of keys that begin with one; everywhere for all others. */
const namespaceIn = (key: string): string => /^([a-z0-9-]+)\/[^/]+$/.exec(key)?.[1] ?? '';

/** Reads the change that a message is about, and sends on what it concerns. */
async function hop(message: ReconcileMessage, builtIns: BuiltIns, { queues }: Pick<BatchPorts, 'queues'>) {
  const found = (await changeAt(message, builtIns)) ?? (await stateOf(message, builtIns));
  if (found === undefined) return undefined;
  const list = listOnce(builtIns.client);
  const { cluster, sequence, version } = message;
  for (const reconciler of builtIns.make()) {
    for (const name of await keysOf(reconciler, found.change, { before: found.before, list }))
      await queues.send(messageOf({ reconciler: reconciler.name, cluster, namespace: '', name, sequence, version }));
  }
  return undefined;
}

interface Found {
  readonly change: ObjectChange;
  readonly before: ObjectChange | undefined;
}

async function changeAt({ sequence, version }: ReconcileMessage, { store }: BuiltIns): Promise<Found | undefined> {
  const change = await entryAt(store, sequence, version);
  if (change === undefined) return undefined;
  const { key, type, body, previous, previousBody } = change;
  const old = previousBody ?? (previous && (await entryAt(store, sequence, previous.version))?.body);
  if (old === undefined) return { change: changeOf(type, { key, body, summary: change }), before: undefined };
  const before = changeOf('ADDED', { key, body: old, summary: previous ?? change });
  return { change: changeOf(type, { key, body, summary: change }, { body: old }), before };
}

/** Of what is no longer in the log, the object as it was last folded, as if it had just been made; nothing where it is gone. */
async function stateOf({ cluster, sequence, name }: ReconcileMessage, { store }: BuiltIns): Promise<Found | undefined> {
  const key = `${cluster}/${name.slice(0, name.lastIndexOf('@'))}`;
  const { item } = await store.sequence(sequence).read(key);
  if (item === undefined) return undefined;
  const { body } = item;
  return { change: changeOf('ADDED', { key, body, summary: summarizeBody(body) }), before: undefined };
}

async function entryAt(store: BuiltIns['store'], sequence: string, version: Version): Promise<Change | undefined> {
  try {
    const page = await store.sequence(sequence).readLog(version - 1, { limit: 1, consistent: true });
    return page.changes.find((change) => change.version === version);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'Expired') return undefined;
    throw error;
  }
}
