import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { replicasOf } from '../replicaset/decide.ts';
import { conditionsOf } from '../workload/conditions.ts';
import type { EventText } from '../workload/record-event.ts';
import { annotated, REVISION, sizeAnnotations, type Revisions } from './revisions.ts';
import type { Sizing } from './sizes.ts';
import { withCondition, type Condition } from './status.ts';

/** One write, and what is told of it once it is done. */
export type Step = { readonly event?: EventText } & (
  | { readonly do: 'create'; readonly set: JsonObject }
  | { readonly do: 'update' | 'delete'; readonly set: JsonObject }
  | { readonly do: 'update-deployment' | 'status'; readonly deployment: JsonObject }
);

export interface Observed {
  readonly deployment: JsonObject;
  /** The replica sets that it controls. */
  readonly sets: readonly JsonObject[];
  /** Their pods; only asked for where all old ones have to go first. */
  readonly pods: readonly JsonObject[];
  readonly now: number;
}

/** What was observed, with the sets told apart. */
export interface View extends Observed, Revisions {}

/** The deployment with one more condition, and maybe another revision. */
export function conditioned({ deployment, now }: Observed, condition: Condition, revision?: string): JsonObject {
  const conditions = withCondition(conditionsOf(deployment), condition, now);
  const revised =
    revision === undefined ? deployment : annotated(deployment, { ...annotationsOf(deployment), [REVISION]: revision });
  return { ...revised, status: { ...objectAt(deployment, 'status'), conditions: [...conditions] } };
}

/** Updates of sets whose size, or what they are told of the deployment's, is not right. */
export function resize(deployment: JsonObject, sizings: readonly Sizing[]): readonly Step[] {
  return sizings.map(({ set, replicas }): Step => {
    const size = replicasOf(set);
    const sized = { ...annotated(set, { ...annotationsOf(set), ...sizeAnnotations(deployment) }) };
    const update = { do: 'update', set: { ...sized, spec: { ...objectAt(set, 'spec'), replicas } } } as const;
    if (size === replicas) return update;
    const message = `Scaled ${size < replicas ? 'up' : 'down'} replica set ${nameOf(set)} from ${size} to ${replicas}`;
    return { ...update, event: { type: 'Normal', reason: 'ScalingReplicaSet', message } };
  });
}
