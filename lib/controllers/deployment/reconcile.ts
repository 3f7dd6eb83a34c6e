import type { Client, ObjectRef } from '#lib/client/client.ts';
import { splitKey } from '#lib/client/split-key.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, metadataOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { selectorFromObject, selectorText } from '#lib/machinery/labels/selector.ts';
import { apiVersion, type GroupVersionResource } from '#lib/machinery/schema.ts';
import { claim, controllerReference, dependentsOf, type Claimant } from '../workload/claim.ts';
import { OwnerIndex, selectorOr } from '../workload/owner-index.ts';
import { recordEvent, type EventText, type Recorder } from '../workload/record-event.ts';
import { afterCollision, afterCreation, afterRefusal } from './create.ts';
import { decide, recreates } from './decide.ts';
import type { Observed, Step } from './steps.ts';

const DEPLOYMENTS: GroupVersionResource = { group: 'apps', version: 'v1', resource: 'deployments' };
const SETS: GroupVersionResource = { group: 'apps', version: 'v1', resource: 'replicasets' };
const PODS: GroupVersionResource = { group: '', version: 'v1', resource: 'pods' };

const selectorOf = (deployment: JsonObject) => selectorFromObject(objectAt(objectAt(deployment, 'spec'), 'selector'));

interface Ports {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly index: OwnerIndex;
}

/**
 * Brings deployments' replica sets from one template to the next: upstream's deployment controller. Every turn reads afresh
 * and does the first thing that is not as it should be; what it writes brings the next turn.
 */
export function deploymentController(client: Client, clock: Clock): Reconciler {
  const index = new OwnerIndex({ owners: DEPLOYMENTS, kind: 'Deployment', dependents: SETS, selectorOf });
  const name = 'deployment-controller';
  const kind = { apiVersion: apiVersion(DEPLOYMENTS), kind: 'Deployment' };
  const ports: Ports = {
    client,
    clock,
    index,
    recorder: { client, component: name, ...kind, now: () => clock.now() },
  };
  return {
    name,
    keys: (change) => [...index.keys(change), ...lastPods(index, change)],
    async reconcile(key) {
      const ref: ObjectRef = { resource: DEPLOYMENTS, ...splitKey(key) };
      const object = await client.get(ref);
      if (object === undefined) return undefined;
      return sync(ports, { ref, object, ...kind, selector: selectorOr(object, selectorOf), dependents: SETS });
    },
  };
}

/** A deployment may wait for a pod to be gone. */
function lastPods(index: OwnerIndex, change: ObjectChange): readonly string[] {
  const { type, group, resource, namespace, object } = change;
  if (type !== 'DELETED' || group !== '' || resource !== PODS.resource) return [];
  const controller = controllerOf(object());
  const owner = controller?.kind === 'ReplicaSet' ? index.ownerOf(namespace, controller.name) : undefined;
  return owner === undefined ? [] : [`${namespace}/${owner}`];
}

async function sync(ports: Ports, claimant: Claimant): Promise<Result> {
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
  for (const step of steps) await perform(ports, claimant, observed, step);
  return lookIn === undefined ? undefined : { requeueAfter: lookIn };
}

async function podsOf(
  client: Client,
  { ref: { namespace }, selector }: Claimant,
  sets: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const uids = new Set<string | undefined>(sets.map(uidOf));
  const pods = await client.list(PODS, { namespace, labelSelector: selectorText(selector) });
  return pods.filter((pod) => uids.has(controllerOf(pod)?.uid));
}

async function perform(ports: Ports, claimant: Claimant, observed: Observed, step: Step): Promise<void> {
  const { client } = ports;
  const { namespace } = claimant.ref;
  switch (step.do) {
    case 'create':
      return create(ports, claimant, observed, step);
    case 'update':
      await client.update({ resource: SETS, namespace, name: nameOf(step.set) }, step.set);
      break;
    case 'delete': {
      const ref = { resource: SETS, namespace, name: nameOf(step.set) };
      await client.delete(ref, { uid: uidOf(step.set) }).catch(unlessGone);
      break;
    }
    case 'update-deployment':
      await client.update(claimant.ref, step.deployment);
      break;
    case 'status':
      await writeStatus(client, claimant, step.deployment);
      break;
    default:
      return step satisfies never;
  }
  if (step.event !== undefined) await recordEvent(ports.recorder, claimant.object, step.event);
}

async function writeStatus(client: Client, { ref }: Claimant, deployment: JsonObject): Promise<void> {
  await client.update(ref, deployment, 'status').catch(unlessGone);
}

async function create(
  ports: Ports,
  claimant: Claimant,
  observed: Observed,
  { set, event }: Extract<Step, { do: 'create' }>,
): Promise<void> {
  const { client, recorder } = ports;
  const references = [...arrayAt(metadataOf(set), 'ownerReferences'), controllerReference(claimant)];
  const owned = { ...set, metadata: { ...metadataOf(set), ownerReferences: references } };
  try {
    await client.create(SETS, owned);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return refused(ports, claimant, observed, set, error);
  }
  if (event !== undefined) await recordEvent(recorder, claimant.object, event);
  const told = afterCreation(observed, set);
  if (told !== undefined) await writeStatus(client, claimant, told);
}

async function refused(
  { client, recorder }: Ports,
  claimant: Claimant,
  observed: Observed,
  set: JsonObject,
  error: StatusError,
): Promise<void> {
  const { ref, object } = claimant;
  if (error.reason === 'AlreadyExists') {
    const taken = await client.get({ resource: SETS, namespace: ref.namespace, name: nameOf(set) });
    if (taken === undefined) throw error;
    const counted = afterCollision(object, taken);
    if (counted !== undefined) await writeStatus(client, claimant, counted);
    return;
  }
  if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true) return;
  const message = `Failed to create new replica set "${nameOf(set)}": ${error.message}`;
  const told = afterRefusal(observed, message);
  if (told !== undefined) await writeStatus(client, claimant, told);
  const event: EventText = { type: 'Warning', reason: 'ReplicaSetCreateError', message };
  await recordEvent(recorder, object, event);
  throw error;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
}
