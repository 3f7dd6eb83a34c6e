import type { ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { ReplicationController } from '#lib/api/types/core.v1.ts';
import { REPLICA_SETS, REPLICATION_CONTROLLERS } from '#lib/api/types/resources.ts';
import { type LabelSelector, selectorFromSet } from '#lib/machinery/labels/selector.ts';
import { apiVersion, type ResourceOf } from '#lib/machinery/schema.ts';
import { specSelector } from '../workload/claimant.ts';

/** An owner that maintains a number of pods. */
export type Replicating = ReplicaSet | ReplicationController;

/** The differences between replica sets and replication controllers. Upstream also adapts one to the other. */
export interface ReplicaKind<O extends Replicating = Replicating> {
  /** The name of the controller, also the source of its events. */
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly resource: ResourceOf<O>;
  /** Whether the status counts terminating pods. */
  readonly countsTerminating: boolean;
  /** The selector of an owner. Throws 400 if it is invalid. */
  selectorOf(owner: O): LabelSelector;
}

/** Replica sets. */
export const REPLICA_SET: ReplicaKind<ReplicaSet> = {
  name: 'replicaset-controller',
  kind: 'ReplicaSet',
  apiVersion: apiVersion(REPLICA_SETS),
  resource: REPLICA_SETS,
  countsTerminating: true,
  selectorOf: specSelector,
};

/** Replication controllers, the older kind. */
export const REPLICATION_CONTROLLER: ReplicaKind<ReplicationController> = {
  name: 'replication-controller',
  kind: 'ReplicationController',
  apiVersion: apiVersion(REPLICATION_CONTROLLERS),
  resource: REPLICATION_CONTROLLERS,
  countsTerminating: false,
  selectorOf: ({ spec }) => selectorFromSet(spec.selector),
};
