import type { Job, JobStatus } from '#lib/api/types/batch.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { JOBS, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { recordEvent } from '#lib/client/record/record-event.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { isFinished } from '#lib/server/registry/kinds/batch/job-conditions.ts';
import { semanticEqual } from '#lib/server/registry/kinds/shared/semantic.ts';
import { firstRefusal, inSlowStart } from '../workload/batches.ts';
import { type Claimant, claim, controllerReference, dependentsOf } from '../workload/claim.ts';
import { specSelector } from '../workload/claimant.ts';
import { OwnerIndex, type Ownership, selectorOr } from '../workload/owner-index.ts';
import { createPod, deletePod, type PodControl } from '../workload/pod-control.ts';
import { type Backoff, backoffOf, following } from './backoff.ts';
import { newPod } from './create.ts';
import { decide } from './decide.ts';
import { type End, endOf, isReached, REACHED, startTimeOf, untilDeadline } from './end.ts';
import { Pace } from './pace.ts';
import { isTracked, TRACKING } from './pod.ts';
import { release } from './release.ts';
import { isManagedElsewhere } from './spec.ts';
import { ended, ending, type Numbers, numbered, started, suspended, withoutZeros } from './status.ts';
import { settle, track } from './track.ts';
import { type View, viewOf } from './view.ts';

const KIND = { apiVersion: 'batch/v1', kind: 'Job' };
const OWNERSHIP: Ownership<Job, Pod> = { owners: JOBS, kind: KIND.kind, dependents: PODS, selectorOf: specSelector };
/** The minimum time in ms to wait for a pod. */
const SECOND = 1000;
/** From this number of pods on, reconciliations of one generation of a job are a second apart, because each one reads all pods. */
const MANY = 50;

type Owner = Claimant<Job, Pod>;

interface Turn {
  readonly client: Clientset;
  readonly control: PodControl;
  readonly claimant: Owner;
  readonly view: View;
  readonly backoff: Backoff;
}

/**
 * Runs the pods of jobs and counts how they end: upstream's job controller. Every reconciliation lists the pods afresh, and reconciliations
 * of a job are serialized. Upstream's expectations are therefore unnecessary.
 */
export function jobController(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  const index = new OwnerIndex(OWNERSHIP);
  /** The backoff by job uid. It is the only record of deleted pods. */
  const backoffs = new Map<string, Backoff>();
  const pace = new Pace(clock);
  return {
    name: 'job-controller',
    keys: (change) => {
      if (change.resource === 'jobs' && change.type === 'DELETED') {
        const uid = uidOf(change.object());
        backoffs.delete(uid);
        pace.forget(uid);
      }
      return index.keys(change);
    },
    async reconcile(key) {
      const ref = { resource: JOBS, ...splitKey(key) };
      const object = await client.get(ref);
      if (object === undefined || isManagedElsewhere(object)) return undefined;
      const uid = uidOf(object);
      if (isFinished(object)) {
        backoffs.delete(uid);
        pace.forget(uid);
        return undefined;
      }
      const pause = pace.before(object);
      if (pause > 0) return { requeueAfter: pause };
      const selector = selectorOr(object, specSelector);
      const claimant: Owner = { ...KIND, ref, object, selector, dependents: PODS, finalizer: TRACKING };
      const pods = await claim(client, claimant, await dependentsOf(client, claimant, index.controlledBy(uid)));
      const view = viewOf(object, pods, clock.now());
      const backoff = following(backoffs.get(uid) ?? backoffOf(pods), view.fresh);
      const recorder = { client, component: 'job-controller', ...KIND, events };
      const control: PodControl = { client, recorder, owner: object };
      const result = await sync({ client, control, claimant, view, backoff }, () => backoffs.set(uid, backoff));
      if (pods.length >= MANY) pace.note(object);
      return result;
    },
  };
}

/** The numbers of pods after a reconciliation, and its outcome. */
interface Done {
  readonly numbers: Numbers;
  readonly end?: End | undefined;
  readonly refusal?: StatusError | undefined;
  /** The time in ms until the next pod may be created. */
  readonly wait?: number;
}

async function sync(turn: Turn, remember: () => void): Promise<Result> {
  const { view, control } = turn;
  const status = started(view);
  const end = endOf(view, startTimeOf(status));
  const done = await (end === undefined ? manage(turn) : endPods(turn, end));
  const isIdle = done.end === undefined && end === undefined && !isDeleting(view.job);
  const told = isIdle ? suspended(status, view) : { status, events: [] };
  const refusal = await account(turn, numbered(told.status, done.numbers), done.end, remember);
  for (const event of told.events) await tell(control, event);
  if (refusal ?? done.refusal) throw refusal ?? done.refusal;
  const deadline = done.end === undefined ? untilDeadline(view, startTimeOf(told.status), view.now) : undefined;
  const waits = [deadline, done.wait].filter((wait) => wait !== undefined);
  return requeueAfter(...waits);
}

/** Deletes all pods that still run. The job does not end before all of them are being deleted. */
async function endPods(turn: Turn, end: End): Promise<Done> {
  const { active } = turn.view;
  const { deleted, refusal } = await deletePods(active, (pod) => deletePod(turn.control, pod));
  return { numbers: without(turn.view, deleted), end: deleted.length === active.length ? end : undefined, refusal };
}

async function manage(turn: Turn): Promise<Done> {
  const { view } = turn;
  const done = isDeleting(view.job) ? { numbers: without(view, []) } : await work(turn);
  return isReached(view, done.numbers.active) ? { ...done, end: REACHED } : done;
}

async function work(turn: Turn): Promise<Done> {
  const { client, view, control, claimant } = turn;
  const decided = decide(view, turn.backoff);
  switch (decided.do) {
    case 'nothing':
      return { numbers: without(view, []) };
    case 'wait':
      return { numbers: without(view, []), wait: Math.max(SECOND, decided.milliseconds) };
    case 'delete': {
      // A pod released before its deletion counts neither as a success nor as a failure.
      const { deleted, refusal } = await deletePods(decided.pods, async (pod) => {
        await release(client, pod);
        await deletePod(control, pod);
      });
      return { numbers: without(view, deleted), refusal };
    }
    case 'create': {
      let created = 0;
      const reference = controllerReference(claimant);
      const refusal = await inSlowStart(decided.indexes, async (index) => {
        await createPod(control, newPod(view, reference, index));
        created++;
      });
      const numbers = without(view, []);
      return { numbers: { ...numbers, active: numbers.active + created }, refusal };
    }
    default:
      return decided satisfies never;
  }
}

async function deletePods(
  pods: readonly Pod[],
  deleteOne: (pod: Pod) => Promise<void>,
): Promise<{ deleted: Pod[]; refusal: StatusError | undefined }> {
  const deleted: Pod[] = [];
  const refusal = await firstRefusal(
    pods.map(async (pod) => {
      await deleteOne(pod);
      deleted.push(pod);
    }),
  );
  return { deleted, refusal };
}

const without = ({ active, ready, terminating }: View, deleted: readonly Pod[]): Numbers => ({
  active: active.length - deleted.length,
  ready: ready - deleted.filter(isPodReady).length,
  terminating: terminating.length + deleted.length,
});

/** Records the pods that ended, releases and counts them, and ends the job after the last one. Returns the first refused release. */
async function account(
  { client, view, control, claimant }: Turn,
  status: JobStatus,
  end: End | undefined,
  remember: () => void,
): Promise<StatusError | undefined> {
  const { status: tracked, release: leaving, isPartial } = track(view, status, end);
  const noted = end === undefined ? tracked : ending(tracked, end, view.now);
  const written = await write(client, claimant, noted);
  remember();
  if (written === undefined) return undefined;
  const left = new Set(view.pods.filter(isTracked).map(uidOf));
  const refusal = await firstRefusal(
    leaving.map(async (pod) => {
      await release(client, pod);
      left.delete(uidOf(pod));
    }),
  );
  const settled = settle(written.status, left);
  const last = end === undefined || isPartial || refusal !== undefined ? undefined : ended(settled, end, view);
  await write(client, { ...claimant, object: written }, last?.status ?? settled);
  for (const event of last?.events ?? []) await tell(control, event);
  return refusal;
}

/** Writes the job's status. Returns the job unchanged if the status is up to date, undefined if the job was deleted. */
async function write(client: Clientset, { ref, object }: Owner, wanted: JobStatus): Promise<Job | undefined> {
  const status = withoutZeros(wanted);
  if (semanticEqual(status, object.status)) return object;
  try {
    return await client.update(ref, { ...object, status }, 'status');
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}

const tell = ({ recorder, owner }: PodControl, event: EventText): Promise<void> => recordEvent(recorder, owner, event);
