import type { Client, ObjectRef } from '#lib/client/client.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

const PODS = { group: '', version: 'v1', resource: 'pods' };
const SCHEDULED = 'PodScheduled';
/** Others write pods too: how often to read it anew. */
const ATTEMPTS = 3;

/** What an attempt says of its pod. What is undefined stays as it is. */
export interface PodOutcome {
  /** Why it has no node. */
  readonly refusal?: { readonly reason: 'Unschedulable' | 'SchedulerError'; readonly message: string };
  /** Empty takes a nomination back. */
  readonly nominatedNodeName?: string | undefined;
}

/** Writes what differs. What the server refuses is thrown, but that the pod is gone, or another's by now. */
export async function writePodOutcome(
  client: Client,
  { pod, now }: { readonly pod: JsonObject; readonly now: number },
  outcome: PodOutcome,
): Promise<void> {
  const ref: ObjectRef = { resource: PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
  let current: JsonObject | undefined = pod;
  for (let attempt = 1; current !== undefined && uidOf(current) === uidOf(pod); attempt++) {
    const status = changedStatus(current, now, outcome);
    if (status === undefined) return;
    try {
      await client.patch(ref, { metadata: { resourceVersion: resourceVersionOf(current) }, status }, 'status');
      return;
    } catch (error) {
      if (!(error instanceof StatusError) || attempt === ATTEMPTS) throw error;
      if (error.reason === 'NotFound') return;
      if (error.reason !== 'Conflict') throw error;
      current = await client.get(ref);
    }
  }
}

/** The fields of the status that are to be written. */
function changedStatus(pod: JsonObject, now: number, outcome: PodOutcome): JsonObject | undefined {
  const status = objectAt(pod, 'status');
  const { refusal, nominatedNodeName } = outcome;
  const isNominated = nominatedNodeName !== undefined && nominatedNodeName !== text(status, 'nominatedNodeName');
  const conditions = refusal === undefined ? undefined : conditionsWith(pod, now, refusal);
  if (!isNominated && conditions === undefined) return undefined;
  return {
    ...(isNominated ? { nominatedNodeName: nominatedNodeName === '' ? null : nominatedNodeName } : {}),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

/** Undefined where they say so already. */
function conditionsWith(
  pod: JsonObject,
  now: number,
  refusal: NonNullable<PodOutcome['refusal']>,
): JsonObject[] | undefined {
  const status = objectAt(pod, 'status');
  const conditions = items(status, 'conditions');
  const before = conditions.find((one) => text(one, 'type') === SCHEDULED);
  const { reason, message } = refusal;
  const wasFalse = text(before, 'status') === 'False';
  if (wasFalse && text(before, 'reason') === reason && text(before, 'message') === message) return undefined;
  const since = wasFalse ? text(before, 'lastTransitionTime') : timeText(instantOf(new Date(now)));
  const condition: JsonObject = {
    type: SCHEDULED,
    observedGeneration: generationOf(pod),
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: since,
    reason,
    message,
  };
  if (before === undefined) return [...conditions, condition];
  return conditions.map((one) => (one === before ? condition : one));
}
