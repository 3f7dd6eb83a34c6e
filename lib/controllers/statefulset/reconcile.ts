import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '#lib/api/types/apps.v1.ts';
import type { PersistentVolumeClaim, Pod } from '#lib/api/types/core.v1.ts';
import { CONTROLLER_REVISIONS, PERSISTENT_VOLUME_CLAIMS, PODS, STATEFUL_SETS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { isDeleting, nameOf, ownerReferencesOf, uidOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { deleteRevisions, type Lineage, lineageOf, ownersOfRevision, revisionsOf } from '../history/lineage.ts';
import { byNumber } from '../history/revision.ts';
import { minReadySecondsOf, readyButNotAvailable } from '../replicaset/decide.ts';
import { inSlowStart } from '../workload/batches.ts';
import { type Claimant, claim, controllerReference, dependentsOf } from '../workload/claim.ts';
import { claimantOf, specSelector, writeStatus } from '../workload/claimant.ts';
import { nextAvailability } from '../workload/next-availability.ts';
import { OwnerIndex, type Ownership } from '../workload/owner-index.ts';
import { decide, type Step } from './decide.ts';
import { ordinalOf, revisionNameOf } from './identity.ts';
import { type Hands, perform } from './perform.ts';
import { statusFor } from './status.ts';
import { claimsToRead, isOrdered, type Observed } from './view.ts';

const NAME = 'statefulset-controller';
const KIND = { apiVersion: apiVersion(STATEFUL_SETS), kind: 'StatefulSet' };
const OWNERSHIP: Ownership<StatefulSet, Pod> = {
  owners: STATEFUL_SETS,
  kind: KIND.kind,
  dependents: PODS,
  selectorOf: specSelector,
};

interface Ports {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly events: EventCorrelator;
  readonly pods: OwnerIndex;
  readonly revisions: OwnerIndex;
}

type Owner = Claimant<StatefulSet, Pod>;

/**
 * Maintains the pods of stateful sets, each with its name and claims, and updates them to a new template in order: upstream's statefulset
 * controller.
 */
export function statefulSetController(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  const pods = new OwnerIndex(OWNERSHIP);
  const revisions = new OwnerIndex({ ...OWNERSHIP, dependents: CONTROLLER_REVISIONS });
  const ports: Ports = { client, clock, events, pods, revisions };
  return {
    name: NAME,
    keys: (change) => [
      ...new Set([...pods.keys(change), ...ownersOfRevision(revisions, change), ...lastClaims(change)]),
    ],
    async reconcile(key) {
      const claimant = await claimantOf(client, OWNERSHIP, key);
      if (claimant === undefined || claimant.selector.nothing === true) return undefined;
      return sync(ports, { ...claimant, accepts: (pod) => ordinalOf(claimant.object, pod) !== undefined });
    },
  };
}

/** A set may wait until the claim of a deleted pod is removed. */
function lastClaims({ type, group, resource, namespace, object }: ObjectChange): readonly string[] {
  if (type !== 'DELETED' || group !== '' || resource !== PERSISTENT_VOLUME_CLAIMS.resource) return [];
  const pods = ownerReferencesOf(object()).filter(({ kind }) => kind === 'Pod');
  return pods.map(({ name }) => `${namespace}/${name.replace(/-\d+$/, '')}`);
}

async function sync(ports: Ports, claimant: Owner): Promise<Result> {
  const { client, clock, events } = ports;
  const { object: set, ref } = claimant;
  const held = await revisionsOf(client, claimant, ports.revisions);
  const lineage = await lineageFor(client, claimant, held);
  if (lineage === undefined) return undefined;
  const candidates = await dependentsOf(client, claimant, ports.pods.controlledBy(uidOf(set)));
  const pods = await claim(client, claimant, candidates);
  const claims = await claimsOf(client, ref.namespace, claimsToRead(set, pods));
  const { update, collisions } = lineage;
  const { currentRevision: named = '' } = set.status;
  const current = [...lineage.old, ...lineage.same].find((one) => nameOf(one) === named) ?? update;
  const reference = controllerReference(claimant);
  const observed: Observed = { set, pods, current, update, collisions, claims, reference, now: clock.now() };
  const recorder = { client, component: NAME, ...KIND, events };
  const refusal = await performAll({ client, recorder, set }, decide(observed));
  const status = statusFor(observed);
  if (status !== undefined) await writeStatus(client, claimant, status);
  await truncate(client, observed, lineage);
  if (refusal !== undefined) throw refusal;
  return nextLook(observed, status ?? set.status);
}

/** A set that is being deleted creates no revision. Undefined if it has none. */
async function lineageFor(
  client: Clientset,
  claimant: Owner,
  held: readonly ControllerRevision[],
): Promise<Lineage | undefined> {
  if (!isDeleting(claimant.object)) return lineageOf(client, claimant, held, HASH_LABEL);
  const old = held.toSorted(byNumber);
  const update = old.pop();
  return update && { update, same: [], old, collisions: claimant.object.status.collisionCount };
}

/** The hash label of revisions. The label of pods holds the revision's name. */
const HASH_LABEL = 'controller.kubernetes.io/hash';

async function claimsOf(
  client: Clientset,
  namespace: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, PersistentVolumeClaim>> {
  const read = await Promise.all(
    names.map((name) => client.get({ resource: PERSISTENT_VOLUME_CLAIMS, namespace, name })),
  );
  return new Map(read.flatMap((one) => (one === undefined ? [] : [[nameOf(one), one]])));
}

/** Returns the first refusal, after which no more steps run. */
async function performAll(hands: Hands, phases: readonly (readonly Step[])[]): Promise<StatusError | undefined> {
  for (const steps of phases) {
    const batches = isOrdered(hands.set) ? steps.map((step) => [step]) : [steps];
    for (const batch of batches) {
      const refusal = await inSlowStart(batch, (step) => perform(hands, step));
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
}

/** Deletes revisions beyond the limit, oldest first. Revisions that pods use, and the current one, do not count. */
async function truncate(client: Clientset, { set, pods, current }: Observed, { old, same }: Lineage): Promise<void> {
  const limit = set.spec.revisionHistoryLimit ?? 10;
  const live = new Set([nameOf(current), ...pods.map(revisionNameOf)]);
  const history = [...old, ...same].filter((one) => !live.has(nameOf(one))).toSorted(byNumber);
  if (limit >= 0) await deleteRevisions(client, set, history.slice(0, Math.max(0, history.length - limit)));
}

function nextLook({ set, pods, now }: Observed, status: StatefulSetStatus): Result {
  const seconds = minReadySecondsOf(set);
  if (seconds === 0 || !readyButNotAvailable(status)) return undefined;
  return { requeueAfter: nextAvailability(pods, seconds, now) ?? seconds * 1000 };
}
