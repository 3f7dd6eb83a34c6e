import type { ReplicaSetCondition, ReplicaSetStatus } from '#lib/api/types/apps.v1.ts';
import type { Pod, ReplicationControllerCondition } from '#lib/api/types/core.v1.ts';
import { isPodAvailable, isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { findCondition, withoutCondition } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { generationOf, labelsOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { semanticEqual } from '#lib/server/registry/kinds/shared/semantic.ts';
import { unlessZero } from '../workload/unless-zero.ts';
import type { Replicating } from './kinds.ts';

/** The maximum number of pods that one reconciliation creates or deletes. */
const BURST = 500;
const FAILURE = 'ReplicaFailure';

type Condition = ReplicaSetCondition | ReplicationControllerCondition;
/** The status of an owner of either kind. */
type ReplicaStatus = Omit<ReplicaSetStatus, 'conditions'> & { conditions?: Condition[] };

/** The number of pods that an owner wants. */
export const replicasOf = ({ spec }: { readonly spec: { readonly replicas?: number } }): number => spec.replicas ?? 1;
/** The time in seconds that a pod of the owner must be ready before it is available. */
export const minReadySecondsOf = ({ spec }: { readonly spec: { readonly minReadySeconds?: number } }): number =>
  spec.minReadySeconds ?? 0;

/** The number of pods to create, or (negative) to delete. */
export const lacking = (owner: Replicating, active: readonly Pod[]): number =>
  Math.max(-BURST, Math.min(BURST, replicasOf(owner) - active.length));

/** The pods of an owner in one reconciliation. */
export interface Observed {
  readonly active: readonly Pod[];
  /** Undefined if the kind does not count them. */
  readonly terminating: readonly Pod[] | undefined;
  /** The message of a refused creation or deletion of a pod. */
  readonly failure: string | undefined;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** The status that the owner should have: upstream's calculateStatus. Undefined if it is up to date. */
export function statusFor(owner: Replicating, observed: Observed): ReplicaStatus | undefined {
  const { active, terminating, now } = observed;
  const ready = active.filter(isPodReady);
  const available = ready.filter((pod) => isPodAvailable(pod, minReadySecondsOf(owner), now));
  const conditions = conditionsFor(owner, observed);
  const status: ReplicaStatus = {
    replicas: active.length,
    ...defined({
      fullyLabeledReplicas: unlessZero(fullyLabeled(owner, active)),
      readyReplicas: unlessZero(ready.length),
      availableReplicas: unlessZero(available.length),
      terminatingReplicas: terminating?.length,
      observedGeneration: unlessZero(generationOf(owner)),
      conditions: conditions.length === 0 ? undefined : [...conditions],
    }),
  };
  return semanticEqual(status, owner.status) ? undefined : status;
}

/** The number of pods that have every label of the template. */
function fullyLabeled({ spec }: Replicating, active: readonly Pod[]): number {
  const wanted = Object.entries(labelsOf(spec.template ?? {}));
  return active.filter((pod) => {
    const labels = labelsOf(pod);
    return wanted.every(([key, value]) => labels[key] === value);
  }).length;
}

function conditionsFor(owner: Replicating, { active, failure, now }: Observed): readonly Condition[] {
  const conditions: readonly Condition[] = owner.status.conditions ?? [];
  if (failure === undefined) return withoutCondition(conditions, FAILURE);
  if (findCondition(conditions, FAILURE) !== undefined) return conditions;
  const condition: Condition = {
    type: FAILURE,
    status: 'True',
    lastTransitionTime: timeOf(now),
    reason: active.length < replicasOf(owner) ? 'FailedCreate' : 'FailedDelete',
    message: failure,
  };
  return [...conditions, condition];
}

/** Whether some pods are ready but not available yet. */
export const readyButNotAvailable = ({
  readyReplicas = 0,
  availableReplicas = 0,
}: {
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
}): boolean => readyReplicas !== availableReplicas;
