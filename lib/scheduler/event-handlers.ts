import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { nominatedNodeName } from './backend/queue/nominator.ts';
import type { Action, EventResource } from './framework/events.ts';
import { podInfoOf } from './framework/pod-info-of.ts';
import { nodeChanges, podChanges } from './framework/properties-change.ts';
import { nodeNameOf, schedulerNameOf, type Scheduling } from './scheduling.ts';

/** An object before and after a change; what is absent was not there, or is not any more. */
export interface Changed {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** Pods that have ended take nothing any more: they are as good as gone. */
export function hasEnded(pod: JsonObject): boolean {
  const phase = text(objectAt(pod, 'status'), 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Tells cache and queue of a node: upstream's addNodeToCache and its neighbours. */
export function nodeChanged({ cache, queue }: Scheduling, { before, after }: Changed): void {
  if (after === undefined) {
    if (before !== undefined) cache.removeNode(nameOf(before));
  } else cache.setNode(after);
  if (before !== undefined && after !== undefined)
    for (const event of nodeChanges(before, after)) queue.moveAll({ event, before, after });
  else queue.moveAll({ event: { resource: 'Node', action: after === undefined ? 'Delete' : 'Add' }, before, after });
}

/** Tells the queue of what plugins look things up in. */
export function otherChanged({ queue }: Scheduling, resource: EventResource, { before, after }: Changed): void {
  const action: Action = after === undefined ? 'Delete' : before === undefined ? 'Add' : 'Update';
  queue.moveAll({ event: { resource, action }, before, after });
}

/** Tells cache and queue of a pod: upstream's addPod, updatePod and deletePod. */
export function podChanged(scheduling: Scheduling, { before, after }: Changed): void {
  if (before !== undefined && after !== undefined && uidOf(before) === uidOf(after))
    return podUpdated(scheduling, before, after);
  if (before !== undefined) podDeleted(scheduling, before);
  if (after !== undefined) podAdded(scheduling, after);
}

const isResponsible = ({ frameworks }: Scheduling, pod: JsonObject): boolean => frameworks.has(schedulerNameOf(pod));

function podAdded(scheduling: Scheduling, pod: JsonObject): void {
  if (nodeNameOf(pod) !== '') assignedPodAdded(scheduling, pod);
  else if (isResponsible(scheduling, pod)) scheduling.queue.add(pod);
}

function podUpdated(scheduling: Scheduling, before: JsonObject, after: JsonObject): void {
  const { cache, queue } = scheduling;
  if (nodeNameOf(before) !== '') {
    cache.setPod(podInfoOf(after), nodeNameOf(after));
    for (const event of podChanges(before, after)) queue.moveAll({ event, before, after });
  } else if (nodeNameOf(after) !== '') {
    assignedPodAdded(scheduling, after);
    if (isResponsible(scheduling, before)) queue.delete(uidOf(before));
  } else if (isResponsible(scheduling, before)) pendingPodUpdated(scheduling, before, after);
}

function podDeleted(scheduling: Scheduling, pod: JsonObject): void {
  if (nodeNameOf(pod) !== '') {
    scheduling.cache.removePod(uidOf(pod));
    tellGone(scheduling, pod);
  } else if (isResponsible(scheduling, pod)) pendingPodDeleted(scheduling, pod);
}

function assignedPodAdded({ cache, queue }: Scheduling, pod: JsonObject): void {
  cache.setPod(podInfoOf(pod), nodeNameOf(pod));
  queue.moveAll({ event: { resource: 'Pod', action: 'Add' }, after: pod });
}

function pendingPodUpdated(scheduling: Scheduling, before: JsonObject, after: JsonObject): void {
  const { cache, queue } = scheduling;
  const events = podChanges(before, after);
  for (const event of events) if (event.action !== 'Update') queue.moveAll({ event, before, after });
  if (cache.isAssumed(uidOf(after))) {
    if (isDeleting(after) && !isDeleting(before)) assumedPodDeleted(scheduling, after);
    return;
  }
  queue.update(before, after, events);
  const nominated = nominatedNodeName(before);
  if (nominated !== '' && nominated !== nominatedNodeName(after)) yieldTo(scheduling, before);
}

function pendingPodDeleted(scheduling: Scheduling, pod: JsonObject): void {
  const { cache, queue } = scheduling;
  queue.delete(uidOf(pod));
  if (cache.isAssumed(uidOf(pod))) assumedPodDeleted(scheduling, pod);
  else if (nominatedNodeName(pod) !== '') yieldTo(scheduling, pod);
}

/** Its place is free at once, though its binding still runs, and will fail. */
function assumedPodDeleted(scheduling: Scheduling, pod: JsonObject): void {
  const { cache, waitingPods } = scheduling;
  const uid = uidOf(pod);
  const assumed = cache.getPod(uid)?.pod ?? pod;
  if (!waitingPods.reject(uid, '', 'removed')) cache.forget(uid);
  tellGone(scheduling, assumed);
}

const tellGone = ({ queue }: Scheduling, pod: JsonObject): void =>
  queue.moveAll({ event: { resource: 'Pod', action: 'Delete' }, before: pod });

/** Pods that were less important, or as important, made way for what a pod was nominated for. */
function yieldTo({ queue }: Scheduling, pod: JsonObject): void {
  const { priority } = podInfoOf(pod);
  const told = { event: { resource: 'Pod', action: 'Delete' }, before: pod } as const;
  queue.moveAll(told, (other) => other.priority <= priority);
}
