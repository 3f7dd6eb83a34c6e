import type { Deployment, ReplicaSet, ReplicaSetSpec } from '#lib/api/types/apps.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { replicasOf } from '../replicaset/decide.ts';
import { annotated, REVISION, type Revisions, sizeAnnotations } from './revisions.ts';
import type { Sizing } from './sizes.ts';
import { type Condition, withCondition } from './status.ts';

/** A replica set to create. */
export type NewSet = { metadata: ObjectMeta; spec: ReplicaSetSpec };

/** One write, and the event to record after it. */
export type Step = { readonly event?: EventText } & (
  | { readonly do: 'create'; readonly set: NewSet }
  | { readonly do: 'update' | 'delete'; readonly set: ReplicaSet }
  | { readonly do: 'update-deployment' | 'status'; readonly deployment: Deployment }
);

/** A deployment with its sets and pods. */
export interface Observed {
  readonly deployment: Deployment;
  /** The replica sets that it controls. */
  readonly sets: readonly ReplicaSet[];
  /** Their pods. Read only if all old pods must be deleted first. */
  readonly pods: readonly Pod[];
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** The same, with the sets split into current and old ones. */
export interface View extends Observed, Revisions {}

/** The deployment with one more condition, and optionally another revision. */
export function conditioned({ deployment, now }: Observed, condition: Condition, revision?: string): Deployment {
  const conditions = withCondition(deployment.status.conditions ?? [], condition, now);
  const revised =
    revision === undefined ? deployment : annotated(deployment, { ...annotationsOf(deployment), [REVISION]: revision });
  return { ...revised, status: { ...deployment.status, conditions: [...conditions] } };
}

/** Updates that set these sizes, and the annotations with the deployment's size. */
export function resize(deployment: Deployment, sizings: readonly Sizing[]): readonly Step[] {
  return sizings.map(({ set, replicas }): Step => {
    const size = replicasOf(set);
    const sized = { ...annotated(set, { ...annotationsOf(set), ...sizeAnnotations(deployment) }) };
    const update = { do: 'update', set: { ...sized, spec: { ...set.spec, replicas } } } as const;
    if (size === replicas) return update;
    const message = `Scaled ${size < replicas ? 'up' : 'down'} replica set ${nameOf(set)} from ${size} to ${replicas}`;
    return { ...update, event: { type: 'Normal', reason: 'ScalingReplicaSet', message } };
  });
}
