import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { DEPLOYMENTS, PODS, REPLICA_SETS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { type Recorder, recordEvent } from '#lib/client/record/record-event.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { selectorText } from '#lib/machinery/labels/selector.ts';
import { controllerOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { type Claimant, claim, controllerReference, dependentsOf } from '../workload/claim.ts';
import { claimantOf, specSelector } from '../workload/claimant.ts';
import { OwnWrites } from '../workload/own-writes.ts';
import { OwnerIndex, type Ownership } from '../workload/owner-index.ts';
import { TURNS_APART } from '../workload/turns-apart.ts';
import { afterCollision, afterCreation, afterRefusal } from './create.ts';
import { decide, recreates } from './decide.ts';
import type { NewSet, Observed, Step } from './steps.ts';

const OWNERSHIP: Ownership<Deployment, ReplicaSet> = {
  owners: DEPLOYMENTS,
  kind: 'Deployment',
  dependents: REPLICA_SETS,
  selectorOf: specSelector,
};

interface Ports {
  readonly client: Clientset;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly index: OwnerIndex;
  readonly own: OwnWrites;
}

type Owner = Claimant<Deployment, ReplicaSet>;

/**
 * Moves deployments' replica sets from one template to the next: upstream's deployment controller. Every reconciliation reads the current
 * state and makes the first write that is due. Its writes trigger the next reconciliation, unless that would do nothing.
 */
export function deploymentController(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  const index = new OwnerIndex(OWNERSHIP);
  const name = 'deployment-controller';
  const kind = { apiVersion: apiVersion(DEPLOYMENTS), kind: 'Deployment' };
  const ports: Ports = {
    client,
    clock,
    index,
    own: new OwnWrites(),
    recorder: { client, component: name, ...kind, events },
  };
  return {
    name,
    apart: TURNS_APART,
    keys(change) {
      const keys = [...index.keys(change), ...lastPods(index, change)];
      return keys.length > 0 && ports.own.take(change) ? [] : keys;
    },
    async reconcile(key) {
      const claimant = await claimantOf(client, OWNERSHIP, key);
      return claimant === undefined ? undefined : sync(ports, claimant);
    },
  };
}

/** A deployment may wait for its last pod to be deleted. */
function lastPods(index: OwnerIndex, change: ObjectChange): readonly string[] {
  const { type, group, resource, namespace, object } = change;
  if (type !== 'DELETED' || group !== '' || resource !== PODS.resource) return [];
  const controller = controllerOf(object());
  const owner = controller?.kind === 'ReplicaSet' ? index.ownerOf(namespace, controller.name) : undefined;
  return owner === undefined ? [] : [`${namespace}/${owner}`];
}

async function sync(ports: Ports, claimant: Owner): Promise<Result> {
  const { client, clock, index } = ports;
  const { object: deployment } = claimant;
  const sets = await claim(
    client,
    claimant,
    await dependentsOf(client, claimant, index.controlledBy(uidOf(deployment))),
  );
  const pods = recreates(deployment) ? await podsOf(client, claimant, sets) : [];
  const observed: Observed = { deployment, sets, pods, now: clock.now() };
  const { steps, lookIn } = decide(observed);
  let last: Result = lookIn === undefined ? undefined : { requeueAfter: lookIn };
  for (const step of steps) last = await perform(ports, claimant, observed, step);
  return last;
}

async function podsOf(
  client: Clientset,
  { ref: { namespace }, selector }: Owner,
  sets: readonly ReplicaSet[],
): Promise<readonly Pod[]> {
  const uids = new Set<string | undefined>(sets.map(uidOf));
  const pods = await client.list(PODS, { namespace, labelSelector: selectorText(selector) });
  return pods.filter((pod) => uids.has(controllerOf(pod)?.uid));
}

async function perform(ports: Ports, claimant: Owner, observed: Observed, step: Step): Promise<Result> {
  const { client } = ports;
  const { namespace } = claimant.ref;
  switch (step.do) {
    case 'create':
      return create(ports, claimant, observed, step);
    case 'status':
      return writeStatus(ports, claimant, observed, step.deployment);
    case 'update':
      await client.update({ resource: REPLICA_SETS, namespace, name: nameOf(step.set) }, step.set);
      break;
    case 'delete': {
      const ref = { resource: REPLICA_SETS, namespace, name: nameOf(step.set) };
      await client.delete(ref, { uid: uidOf(step.set) }).catch(ignoreNotFound);
      break;
    }
    case 'update-deployment':
      await client.update(claimant.ref, step.deployment);
      break;
    default:
      return step satisfies never;
  }
  if (step.event !== undefined) await recordEvent(ports.recorder, claimant.object, step.event);
  return undefined;
}

/** Writes the status, and checks whether any work remains. `created` is the set that this reconciliation created. */
async function writeStatus(
  { client, own }: Ports,
  { ref }: Owner,
  observed: Observed,
  deployment: Deployment,
  created?: ReplicaSet,
): Promise<Result> {
  const written = await client.update(ref, deployment, 'status').catch(ignoreNotFound);
  if (written === undefined) return undefined;
  const { steps, lookIn } = decide({ ...observed, deployment: written });
  if (steps.length > 0) return undefined;
  own.settled(DEPLOYMENTS, written);
  if (created !== undefined) own.settled(REPLICA_SETS, created);
  return lookIn === undefined ? undefined : { requeueAfter: lookIn };
}

async function create(
  ports: Ports,
  claimant: Owner,
  observed: Observed,
  { set, event }: Extract<Step, { do: 'create' }>,
): Promise<Result> {
  const { client, recorder } = ports;
  const references = [...(set.metadata.ownerReferences ?? []), controllerReference(claimant)];
  const owned = { ...set, metadata: { ...set.metadata, ownerReferences: references } };
  let created: ReplicaSet;
  try {
    created = await client.create(REPLICA_SETS, owned);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    await refused(ports, claimant, observed, set, error);
    return undefined;
  }
  if (event !== undefined) await recordEvent(recorder, claimant.object, event);
  const told = afterCreation(observed, set);
  if (told === undefined) return undefined;
  const seen = { ...observed, sets: [...observed.sets, created] };
  return writeStatus(ports, claimant, seen, counted({ ...seen, deployment: told }), created);
}

/** The deployment after the next reconciliation, if that would write only the status. */
function counted(observed: Observed): Deployment {
  const [step] = decide(observed).steps;
  return step?.do === 'status' ? step.deployment : observed.deployment;
}

async function refused(
  ports: Ports,
  claimant: Owner,
  observed: Observed,
  set: NewSet,
  error: StatusError,
): Promise<void> {
  const { client, recorder } = ports;
  const { ref, object } = claimant;
  if (error.reason === 'AlreadyExists') {
    const taken = await client.get({ resource: REPLICA_SETS, namespace: ref.namespace, name: nameOf(set) });
    if (taken === undefined) throw error;
    const collided = afterCollision(object, taken);
    if (collided !== undefined) await writeStatus(ports, claimant, observed, collided);
    return;
  }
  if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true) return;
  const message = `Failed to create new replica set "${nameOf(set)}": ${error.message}`;
  const told = afterRefusal(observed, message);
  if (told !== undefined) await writeStatus(ports, claimant, observed, told);
  const event: EventText = { type: 'Warning', reason: 'ReplicaSetCreateError', message };
  await recordEvent(recorder, object, event);
  throw error;
}
