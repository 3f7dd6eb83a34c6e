import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { selectorFromSet, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { apiVersion, type GroupVersionResource } from '#lib/machinery/schema.ts';
import { specSelector } from '../workload/claimant.ts';

/** What differs between the two kinds that keep a number of pods: upstream adapts one to the other as well. */
export interface ReplicaKind {
  /** Also who tells of events. */
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly resource: GroupVersionResource;
  /** Whether the status counts pods that are ending. */
  readonly countsTerminating: boolean;
  selectorOf(owner: JsonObject): LabelSelector;
}

const SETS: GroupVersionResource = { group: 'apps', version: 'v1', resource: 'replicasets' };
const CONTROLLERS: GroupVersionResource = { group: '', version: 'v1', resource: 'replicationcontrollers' };

export const REPLICA_SET: ReplicaKind = {
  name: 'replicaset-controller',
  kind: 'ReplicaSet',
  apiVersion: apiVersion(SETS),
  resource: SETS,
  countsTerminating: true,
  selectorOf: specSelector,
};

export const REPLICATION_CONTROLLER: ReplicaKind = {
  name: 'replication-controller',
  kind: 'ReplicationController',
  apiVersion: apiVersion(CONTROLLERS),
  resource: CONTROLLERS,
  countsTerminating: false,
  selectorOf: (controller) => selectorFromSet(objectAt(objectAt(controller, 'spec'), 'selector')),
};
