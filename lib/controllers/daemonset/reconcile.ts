import { typedObject } from '#lib/api/typed.ts';
import type { ControllerRevision, DaemonSet, DaemonSetStatus } from '#lib/api/types/apps.v1.ts';
import type { Pod, Taint } from '#lib/api/types/core.v1.ts';
import { CONTROLLER_REVISIONS, DAEMON_SETS, NODES, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { recordEvent } from '#lib/client/record/record-event.ts';
import { taintsOf } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { isDeleting, labelsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { deleteRevisions, type Lineage, lineageOf, ownersOfRevision, revisionsOf } from '../history/lineage.ts';
import { REVISION_LABEL } from '../history/revision.ts';
import { minReadySecondsOf } from '../replicaset/decide.ts';
import { firstRefusal, inSlowStart } from '../workload/batches.ts';
import { type Claimant, claim, controllerReference, dependentsOf } from '../workload/claim.ts';
import { claimantOf, specSelector, writeStatus } from '../workload/claimant.ts';
import { nextAvailability } from '../workload/next-availability.ts';
import { OwnerIndex, type Ownership } from '../workload/owner-index.ts';
import { createPod, deletePod, type PodControl } from '../workload/pod-control.ts';
import { TURNS_APART } from '../workload/turns-apart.ts';
import { type Decision, decide, type Removal } from './decide.ts';
import { FailedPods } from './failed-pods.ts';
import { statusFor } from './status.ts';
import { sameTaints } from './tolerations.ts';
import { daemonPod, type View, viewOf } from './view.ts';

const NAME = 'daemonset-controller';
const KIND = { apiVersion: apiVersion(DAEMON_SETS), kind: 'DaemonSet' };
const OWNERSHIP: Ownership<DaemonSet, Pod> = {
  owners: DAEMON_SETS,
  kind: KIND.kind,
  dependents: PODS,
  selectorOf: specSelector,
};
/** The maximum number of pods that one reconciliation creates, and that it deletes. */
const BURST = 250;

interface Ports {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly events: EventCorrelator;
  readonly pods: OwnerIndex;
  readonly revisions: OwnerIndex;
  readonly failed: FailedPods;
}

type Owner = Claimant<DaemonSet, Pod>;

/** Runs one pod of every daemon set on every eligible node, and rolls pods out to a new template: upstream's daemon controller. */
export function daemonSetController(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  const pods = new OwnerIndex(OWNERSHIP);
  const revisions = new OwnerIndex({ ...OWNERSHIP, dependents: CONTROLLER_REVISIONS });
  const ports: Ports = { client, clock, events, pods, revisions, failed: new FailedPods() };
  const isOther = nodeChanges();
  return {
    name: NAME,
    apart: TURNS_APART,
    keys(change) {
      const keys = [...pods.keys(change), ...ownersOfRevision(revisions, change)];
      return isOther(change) ? pods.owners() : [...new Set(keys)];
    },
    async reconcile(key) {
      const claimant = await claimantOf(client, OWNERSHIP, key);
      if (claimant === undefined || isDeleting(claimant.object) || claimant.selector.nothing === true) return undefined;
      return sync(ports, claimant);
    },
  };
}

/** Returns a filter for node changes that may affect the placement of daemons. It drops others, such as heartbeats. */
function nodeChanges(): (change: ObjectChange) => boolean {
  const nodes = new Map<string, { readonly labels: Record<string, string>; readonly taints: readonly Taint[] }>();
  return ({ type, group, resource, name, object }) => {
    if (group !== '' || resource !== NODES.resource) return false;
    const before = nodes.get(name);
    if (type === 'DELETED') return nodes.delete(name);
    const node = typedObject(NODES, object());
    const now = { labels: labelsOf(node), taints: taintsOf(node) };
    nodes.set(name, now);
    return before === undefined || !equal(before.labels, now.labels) || !sameTaints(before.taints, now.taints);
  };
}

async function sync(ports: Ports, claimant: Owner): Promise<Result> {
  const { client, clock } = ports;
  const { object: set } = claimant;
  const held = await revisionsOf(client, claimant, ports.revisions);
  const lineage = await lineageOf(client, claimant, held, REVISION_LABEL);
  const candidates = await dependentsOf(client, claimant, ports.pods.controlledBy(uidOf(set)));
  const pods = await claim(client, claimant, candidates);
  if (lineage.same.length > 0) return mergeRevisions(client, claimant, lineage, pods);
  const nodes = await client.list(NODES);
  const view = viewOf({ set, pods, nodes, hash: hashOf(lineage.update), now: clock.now() });
  const decision = decide(view, (node) => ports.failed.left(failureKey(set, node), view.now));
  const refusal = await perform(ports, claimant, view, decision);
  const status = statusFor(view, lineage.collisions);
  if (status !== undefined) await writeStatus(client, claimant, status);
  if (refusal !== undefined) throw refusal;
  await truncate(client, view, lineage);
  return nextLook(view, status ?? set.status, decision.lookIn);
}

/** The value of the revision label on pods of the revision. */
const hashOf = (revision: ControllerRevision): string => labelsOf(revision)[REVISION_LABEL] ?? nameOf(revision);

const failureKey = (set: DaemonSet, node: string): string =>
  `${uidOf(set)}/${set.status.observedGeneration ?? 0}/${node}`;

/**
 * Merges revisions with the same data. Relabels their pods to one revision and deletes the other revisions. These writes trigger the next
 * reconciliation.
 */
async function mergeRevisions(
  client: Clientset,
  { ref: { namespace }, object }: Owner,
  { update, same }: Lineage,
  pods: readonly Pod[],
): Promise<Result> {
  const hashes = new Set(same.map(hashOf));
  const labels = { [REVISION_LABEL]: hashOf(update) };
  for (const pod of pods.filter((one) => hashes.has(labelsOf(one)[REVISION_LABEL] ?? '')))
    await client.patch({ resource: PODS, namespace, name: nameOf(pod) }, { metadata: { labels } });
  await deleteRevisions(client, object, same);
  return undefined;
}

/** Creates and deletes the pods of one reconciliation. Returns the first refusal. */
async function perform(
  ports: Ports,
  claimant: Owner,
  view: View,
  { create, remove }: Decision,
): Promise<StatusError | undefined> {
  const { client, events } = ports;
  const recorder = { client, component: NAME, ...KIND, events };
  const control: PodControl = { client, recorder, owner: view.set };
  const reference = controllerReference(claimant);
  const refused = await inSlowStart(create.slice(0, BURST), (node) =>
    createPod(control, daemonPod(view, reference, node)),
  );
  return (
    (await firstRefusal(remove.slice(0, BURST).map((removal) => end(ports, control, view.set, removal)))) ?? refused
  );
}

async function end(
  { failed, clock }: Ports,
  control: PodControl,
  set: DaemonSet,
  { pod, event, failedOn }: Removal,
): Promise<void> {
  if (failedOn !== undefined) failed.replaced(failureKey(set, failedOn), clock.now());
  if (event !== undefined) await recordEvent(control.recorder, set, event);
  await deletePod(control, pod);
}

/** Deletes old revisions beyond the limit, oldest first, except those that a pod uses. */
async function truncate(client: Clientset, { set, pods }: View, { old }: Lineage): Promise<void> {
  const limit = set.spec.revisionHistoryLimit ?? 10;
  const live = new Set(pods.map((pod) => labelsOf(pod)[REVISION_LABEL]));
  const dead = old.filter((one) => !live.has(hashOf(one)));
  await deleteRevisions(client, set, dead.slice(0, Math.max(0, old.length - limit)));
}

function nextLook({ set, pods, now }: View, status: DaemonSetStatus, lookIn: number | undefined): Result {
  const seconds = minReadySecondsOf(set);
  const lasts = status.numberReady === (status.numberAvailable ?? 0);
  const next = seconds === 0 || lasts ? undefined : (nextAvailability(pods, seconds, now) ?? seconds * 1000);
  const waits = [next, lookIn].filter((wait) => wait !== undefined);
  return requeueAfter(...waits);
}
