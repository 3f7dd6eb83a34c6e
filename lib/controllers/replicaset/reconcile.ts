import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { isPodActive, isPodTerminating } from '#lib/helpers/component-helpers/pod/phase.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { controllerOf, isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { firstRefusal, inSlowStart } from '../workload/batches.ts';
import { type Claimant, claim, controllerReference, decideClaim, dependentsOf } from '../workload/claim.ts';
import { claimantOf, writeStatus } from '../workload/claimant.ts';
import { inDeletionOrder } from '../workload/deletion-order.ts';
import { nextAvailability } from '../workload/next-availability.ts';
import { OwnWrites } from '../workload/own-writes.ts';
import { OwnerIndex, type Ownership, selectorOr } from '../workload/owner-index.ts';
import { createPod, deletePod, type PodControl } from '../workload/pod-control.ts';
import { podOf } from '../workload/pod-of.ts';
import { TURNS_APART } from '../workload/turns-apart.ts';
import { lacking, minReadySecondsOf, readyButNotAvailable, statusFor } from './decide.ts';
import type { ReplicaKind, Replicating } from './kinds.ts';

interface Ports {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly events: EventCorrelator;
  readonly kind: ReplicaKind;
  readonly index: OwnerIndex;
  readonly own: OwnWrites;
}

type Owner = Claimant<Replicating, Pod>;

/**
 * Keeps as many pods as a replica set or replication controller wants: upstream's replicaset controller. Every reconciliation lists the
 * pods afresh, and reconciliations of one owner are serialized. The list therefore contains the pods of the previous one, and upstream's
 * expectations are unnecessary.
 */
export function replicaSetController(
  untyped: Client,
  clock: Clock,
  kind: ReplicaKind,
  events = new EventCorrelator(clock),
): Reconciler {
  const client = clientset(untyped);
  const ownership: Ownership<Replicating, Pod> = { ...kind, owners: kind.resource, dependents: PODS };
  const index = new OwnerIndex(ownership);
  const own = new OwnWrites();
  const ports: Ports = { client, clock, events, kind, index, own };
  return {
    name: kind.name,
    apart: TURNS_APART,
    keys(change) {
      const keys = index.keys(change);
      return keys.length > 0 && own.take(change) ? [] : keys;
    },
    async reconcile(key) {
      const claimant = await claimantOf(client, ownership, key);
      return claimant === undefined ? undefined : sync(ports, claimant);
    },
  };
}

async function sync(ports: Ports, claimant: Owner): Promise<Result> {
  const { client, clock, kind, index, own } = ports;
  const { object } = claimant;
  const pods = await dependentsOf(client, claimant, index.controlledBy(uidOf(object)));
  const active = await claim(client, claimant, pods.filter(isPodActive));
  const terminating = pods.filter((pod) => isPodTerminating(pod) && decideClaim(pod, claimant) === 'own');
  const number = isDeleting(object) ? 0 : lacking(object, active);
  const failure = await manage(ports, claimant, active, number);
  if (number !== 0 && failure === undefined) return undefined; // created or deleted pods trigger the next reconciliation, which counts them
  const now = clock.now();
  const status = statusFor(object, {
    active,
    terminating: kind.countsTerminating ? terminating : undefined,
    failure: failure?.message,
    now,
  });
  const written = status && (await writeStatus(client, claimant, status));
  if (written !== undefined) own.settled(kind.resource, written);
  if (failure !== undefined) throw failure;
  if (!readyButNotAvailable(status ?? object.status)) return undefined;
  const seconds = minReadySecondsOf(object);
  return { requeueAfter: nextAvailability(active, seconds, now) ?? seconds * 1000 };
}

/** Creates missing pods or deletes surplus ones. Returns the first refusal. */
async function manage(
  ports: Ports,
  claimant: Owner,
  active: readonly Pod[],
  number: number,
): Promise<StatusError | undefined> {
  if (number > 0) return createPods(ports, claimant, number);
  if (number === 0) return undefined;
  const pods = -number === active.length ? active : await ranked(ports, claimant, active);
  return firstRefusal(pods.slice(0, -number).map((pod) => deletePod(controlOf(ports, claimant.object), pod)));
}

function createPods(ports: Ports, claimant: Owner, number: number): Promise<StatusError | undefined> {
  const pod = podOf(claimant.object, controllerReference(claimant));
  return inSlowStart(
    Array.from({ length: number }, () => pod),
    (one) => createPod(controlOf(ports, claimant.object), one),
  );
}

/** Sorts pods in order of deletion. On each node, pods of the owner and of its siblings (owners with the same controller) count. */
async function ranked(
  { client, clock, kind }: Ports,
  claimant: Owner,
  active: readonly Pod[],
): Promise<readonly Pod[]> {
  const { namespace } = claimant.ref;
  const controller = controllerOf(claimant.object);
  const related = new Map<string, Pod>();
  if (controller !== undefined) {
    const owners = await client.list(kind.resource, { namespace });
    for (const owner of owners.filter((one) => controllerOf(one)?.uid === controller.uid)) {
      const other = { ...claimant, selector: selectorOr(owner, kind.selectorOf) };
      for (const pod of await dependentsOf(client, other, [])) related.set(uidOf(pod), pod);
    }
  }
  return inDeletionOrder(active, [...related.values()], clock.now());
}

function controlOf({ client, events, kind }: Ports, owner: Replicating): PodControl {
  const { name: component, apiVersion, kind: of } = kind;
  return { client, owner, recorder: { client, component, apiVersion, kind: of, events } };
}
