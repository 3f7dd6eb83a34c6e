import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { updatePodCondition } from '#lib/helpers/component-helpers/pod/update-pod-condition.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';

const SCHEDULED = 'PodScheduled';
/** How often a pod is read again after a conflict with another writer. */
const ATTEMPTS = 3;

/** The outcome of an attempt for its pod. An undefined part stays unchanged. */
export interface PodOutcome {
  /** The reason why the pod has no node. */
  readonly refusal?: { readonly reason: 'Unschedulable' | 'SchedulerError'; readonly message: string };
  /** An empty name clears the nomination. */
  readonly nominatedNodeName?: string | undefined;
}

/**
 * Writes the fields that differ. Ignores a pod that was deleted, replaced or already bound. A pod can be bound while the outcome of its
 * previous attempt is in flight. Throws StatusError for other failures.
 */
export async function writePodOutcome(
  client: Clientset,
  { pod, now }: { readonly pod: Pod; readonly now: number },
  outcome: PodOutcome,
): Promise<void> {
  const ref = { resource: PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
  let current: Pod | undefined = pod;
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
      if (current !== undefined && nodeNameOf(current) !== '') return;
    }
  }
}

/** The fields of the status to write; undefined if none differs. */
function changedStatus(pod: Pod, now: number, outcome: PodOutcome): JsonObject | undefined {
  const { refusal, nominatedNodeName } = outcome;
  const isNominated = nominatedNodeName !== undefined && nominatedNodeName !== (pod.status.nominatedNodeName ?? '');
  const conditions = refusal === undefined ? undefined : conditionsWith(pod, now, refusal);
  if (!isNominated && conditions === undefined) return undefined;
  return {
    ...(isNominated ? { nominatedNodeName: nominatedNodeName === '' ? null : nominatedNodeName } : {}),
    ...defined({ conditions }),
  };
}

/** The conditions with the refusal added; undefined if already present. */
function conditionsWith(
  pod: Pod,
  now: number,
  refusal: NonNullable<PodOutcome['refusal']>,
): PodCondition[] | undefined {
  const { conditions } = pod.status;
  const observedGeneration = generationOf(pod);
  const next = updatePodCondition(
    conditions,
    { type: SCHEDULED, observedGeneration, status: 'False', ...refusal },
    now,
  );
  return next === conditions ? undefined : next;
}
