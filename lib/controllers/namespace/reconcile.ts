import type { Namespace } from '#lib/api/types/core.v1.ts';
import { NAMESPACES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { finalizersOf, isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { sweepNamespace } from './content.ts';
import { estimate, FINALIZER, isEmpty, otherFinalizers, specFinalizers, withConditions } from './decide.ts';

/** The delay in ms before the remaining content is checked again. */
const LOOK_AGAIN = 1000;

const refOf = (name: string): RefOf<Namespace> => ({ resource: NAMESPACES, namespace: '', name });

/**
 * Empties namespaces that are being deleted and removes their finalizer. It also deletes objects that were created in them meanwhile. This
 * is upstream's namespace controller. Keys are names of namespaces.
 */
export function namespaceController(untyped: Client, clock: Clock): Reconciler {
  const client = clientset(untyped);
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
 * The namespace of an object that is created or deleted, unless it is known to be active. This finds objects that were admitted before the
 * deletion of their namespace and stored after it was found empty. The later of the two changes triggers the check.
 */
function keysOfContent({ type, namespace }: ObjectChange, active: ReadonlySet<string>): readonly string[] {
  return namespace === '' || type === 'MODIFIED' || active.has(namespace) ? [] : [namespace];
}

async function terminate(client: Clientset, clock: Clock, namespace: Namespace, name: string): Promise<Result> {
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

async function finalize(client: Clientset, namespace: Namespace, name: string): Promise<Result> {
  if (!specFinalizers(namespace).includes(FINALIZER)) return undefined;
  const spec = { ...namespace.spec, finalizers: otherFinalizers(namespace) };
  await client.update(refOf(name), { ...namespace, spec }, 'finalize');
  return undefined;
}

/** Deletes a namespace that lost its finalizers before its deletion. */
async function release(client: Clientset, namespace: Namespace, name: string): Promise<Result> {
  if (finalizersOf(namespace).length === 0) await client.delete(refOf(name), { uid: uidOf(namespace) });
  return undefined;
}

/** Deletes objects whose namespace does not exist: those that were listed before it was proven absent. */
async function sweepAbsent(client: Clientset, name: string): Promise<Result> {
  const isAbsent = async (): Promise<boolean> => (await client.get(refOf(name))) === undefined;
  const sweep = await sweepNamespace({ client, namespace: name, mayDelete: isAbsent });
  return isEmpty(sweep) ? undefined : { requeueAfter: LOOK_AGAIN };
}
