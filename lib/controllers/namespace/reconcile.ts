import type { Client, ObjectRef } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, isDeleting, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { sweepNamespace } from './content.ts';
import { estimate, isEmpty, otherFinalizers, specFinalizers, withConditions, FINALIZER } from './decide.ts';

const NAMESPACES: GroupVersionResource = { group: '', version: 'v1', resource: 'namespaces' };
/** Milliseconds before content that should be gone is looked for again. */
const LOOK_AGAIN = 1000;

const refOf = (name: string): ObjectRef => ({ resource: NAMESPACES, namespace: '', name });

/**
 * Empties namespaces that are being deleted and lets them go, and sweeps what was created in them while they went: upstream's
 * namespace controller. Keys are names of namespaces.
 */
export function namespaceController(client: Client, clock: Clock): Reconciler {
  const active = new Set<string>();
  return {
    name: 'namespace',
    keys: (change) => (isNamespace(change) ? keysOfNamespace(change, active) : keysOfContent(change, active)),
    async reconcile(name) {
      const namespace = await client.get(refOf(name));
      if (namespace === undefined) return sweepAbsent(client, name);
      if (!isDeleting(namespace)) return undefined;
      return terminate(client, clock, namespace, name);
    },
  };
}

const isNamespace = ({ group, resource }: ObjectChange): boolean => group === '' && resource === 'namespaces';

function keysOfNamespace({ type, name, mentions }: ObjectChange, active: Set<string>): readonly string[] {
  if (type !== 'DELETED' && !mentions('"deletionTimestamp"')) {
    active.add(name);
    return [];
  }
  active.delete(name);
  return [name];
}

/**
 * What comes or goes in a namespace that is not known to be active. An object that was admitted before its namespace began to
 * end and stored after that was found empty is so seen: either the namespace's own change comes later, or this one does.
 */
function keysOfContent({ type, namespace }: ObjectChange, active: ReadonlySet<string>): readonly string[] {
  return namespace === '' || type === 'MODIFIED' || active.has(namespace) ? [] : [namespace];
}

async function terminate(client: Client, clock: Clock, namespace: JsonObject, name: string): Promise<Result> {
  const uid = uidOf(namespace);
  if (specFinalizers(namespace).length === 0) return release(client, namespace, name);
  const stillEnding = async (): Promise<boolean> => {
    const current = await client.get(refOf(name));
    return current === undefined || (uidOf(current) === uid && isDeleting(current));
  };
  const sweep = await sweepNamespace({ client, namespace: name, mayDelete: stillEnding });
  const next = withConditions(namespace, sweep, new Date(clock.now()));
  const current = next === undefined ? namespace : await client.update(refOf(name), next, 'status');
  if (isEmpty(sweep)) return finalize(client, current, name);
  const seconds = estimate(namespace, sweep, clock.now());
  return { requeueAfter: seconds === 0 ? LOOK_AGAIN : (seconds / 2 + 1) * 1000 };
}

async function finalize(client: Client, namespace: JsonObject, name: string): Promise<Result> {
  if (!specFinalizers(namespace).includes(FINALIZER)) return undefined;
  const spec: JsonObject = { ...objectAt(namespace, 'spec'), finalizers: otherFinalizers(namespace) };
  await client.update(refOf(name), { ...namespace, spec }, 'finalize');
  return undefined;
}

/** A namespace that lost its finalizers before it was asked to go is held by nothing. */
async function release(client: Client, namespace: JsonObject, name: string): Promise<Result> {
  if (finalizersOf(namespace).length === 0) await client.delete(refOf(name), { uid: uidOf(namespace) });
  return undefined;
}

/** An object that is listed before its namespace is proven absent has none. */
async function sweepAbsent(client: Client, name: string): Promise<Result> {
  const isAbsent = async (): Promise<boolean> => (await client.get(refOf(name))) === undefined;
  const sweep = await sweepNamespace({ client, namespace: name, mayDelete: isAbsent });
  return isEmpty(sweep) ? undefined : { requeueAfter: LOOK_AGAIN };
}
