import { typedObject } from '#lib/api/typed.ts';
import { DAEMON_SETS, NODES } from '#lib/api/types/resources.ts';
import { requiredNodeAffinity, selectableNode } from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import { findUntoleratedTaint } from '#lib/component-helpers/scheduling/corev1/taints.ts';
import { objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, isDeleting, labelsOf, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { amountOf, intOrPercent } from '#lib/registry/kinds/shared/int-or-percent.ts';
import { REVISION_LABEL } from '../history/revision.ts';
import { minReadySecondsOf } from '../replicaset/decide.ts';
import { podOf } from '../workload/pod-of.ts';
import { isAvailable, isTerminal } from '../workload/pod.ts';
import { affinityTo, targetOf } from './node-affinity.ts';
import { daemonTolerations } from './tolerations.ts';

const GENERATION = 'deprecated.daemonset.template.generation';
const GENERATION_LABEL = 'pod-template-generation';

export interface Observed {
  readonly set: JsonObject;
  /** Those that the set controls. */
  readonly pods: readonly JsonObject[];
  readonly nodes: readonly JsonObject[];
  /** What pods of the set's template carry as their revision. */
  readonly hash: string;
  readonly now: number;
}

export interface View extends Observed {
  /** By the node that they are on or for, those that ended and are going left out. */
  readonly byNode: ReadonlyMap<string, readonly JsonObject[]>;
  readonly placements: ReadonlyMap<string, Placement>;
}

/** Whether a node is to get a pod, and whether it may keep the one that it has. */
export interface Placement {
  readonly shouldRun: boolean;
  readonly mayStay: boolean;
}

const NOWHERE: Placement = { shouldRun: false, mayStay: false };

export function viewOf(observed: Observed): View {
  const byNode = new Map<string, JsonObject[]>();
  for (const pod of observed.pods) {
    const target = isTerminal(pod) && isDeleting(pod) ? undefined : targetOf(pod);
    if (target !== undefined) byNode.set(target, [...(byNode.get(target) ?? []), pod]);
  }
  const placements = new Map(observed.nodes.map((node) => [nameOf(node), placementOn(observed.set, node)]));
  return { ...observed, byNode, placements };
}

/** Upstream's NodeShouldRunDaemonPod. */
export function placementOn(set: JsonObject, node: JsonObject): Placement {
  const spec = at(set, 'spec', 'template', 'spec');
  const fixed = text(spec, 'nodeName');
  if (fixed !== '' && fixed !== nameOf(node)) return NOWHERE;
  if (!requiredNodeAffinity(typedObject(DAEMON_SETS, set).spec.template.spec).matches(selectableNode(node)))
    return NOWHERE;
  const tolerations = daemonTolerations(spec);
  const toleratesAll = (effect: string): boolean =>
    findUntoleratedTaint(typedObject(NODES, node), tolerations, [effect]) === undefined;
  const mayStay = toleratesAll('NoExecute');
  return { shouldRun: mayStay && toleratesAll('NoSchedule'), mayStay };
}

/** A pod of the set for one node. */
export function daemonPod({ set, hash }: Observed, reference: JsonObject, node: string): JsonObject {
  const pod = podOf(set, reference);
  const spec = objectAt(pod, 'spec');
  const generation = generationOf(set);
  const labels = {
    ...labelsOf(pod),
    ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
    [REVISION_LABEL]: hash,
  };
  const affinity = affinityTo(node, objectAt(spec, 'affinity'));
  const placed = { ...spec, affinity, tolerations: [...daemonTolerations(spec)] };
  return { ...pod, metadata: { ...metadataOf(pod), labels }, spec: placed };
}

/** A count of older API versions; undefined where it is no number. */
function generationOf(set: JsonObject): string | undefined {
  const value = annotationsOf(set)[GENERATION];
  return value !== undefined && /^[+-]?\d{1,18}$/.test(value) ? String(Number(value)) : undefined;
}

/** Whether the pod is of the set's template. */
export function isUpdated({ set, hash }: Observed, pod: JsonObject): boolean {
  const labels = labelsOf(pod);
  const generation = generationOf(set);
  return labels[REVISION_LABEL] === hash || (generation !== undefined && labels[GENERATION_LABEL] === generation);
}

export const isAvailableIn = ({ set, now }: Observed, pod: JsonObject): boolean =>
  isAvailable(pod, minReadySecondsOf(set), now);

/** Pods that have a node before those that wait for it, then the older first. */
export function byAge(a: JsonObject, b: JsonObject): number {
  const waits = (pod: JsonObject): number => Number(text(objectAt(pod, 'spec'), 'nodeName') === '');
  const age = (pod: JsonObject): number => creationTimeOf(pod)?.getTime() ?? 0;
  return waits(a) - waits(b) || age(a) - age(b) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

export const isRolling = (set: JsonObject): boolean =>
  text(at(set, 'spec', 'updateStrategy'), 'type') === 'RollingUpdate';

/** A number, or a share of all nodes rounded up; 0 where the strategy is another. */
function amount(set: JsonObject, field: 'maxSurge' | 'maxUnavailable', nodes: number): number {
  if (!isRolling(set)) return 0;
  const value: Json = intOrPercent(at(set, 'spec', 'updateStrategy', 'rollingUpdate') ?? {}, field);
  const number = amountOf(value);
  return typeof value === 'string' && value.endsWith('%') ? Math.ceil((number * nodes) / 100) : number;
}

/** How many pods an update may put beside others, and how many it may take away. One, where both come to none. */
export function limitsOf(set: JsonObject, nodes: number): { readonly surge: number; readonly unavailable: number } {
  const surge = amount(set, 'maxSurge', nodes);
  const unavailable = amount(set, 'maxUnavailable', nodes);
  return { surge, unavailable: nodes > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Whether a node may have two pods during an update. */
export const allowsSurge = (set: JsonObject): boolean => amount(set, 'maxSurge', 1) > 0;
