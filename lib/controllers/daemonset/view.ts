import type { DaemonSet } from '#lib/api/types/apps.v1.ts';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodAvailable } from '#lib/helpers/component-helpers/pod/readiness.ts';
import {
  requiredNodeAffinity,
  selectableNode,
} from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import { findUntoleratedTaint } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { annotationsOf, creationTimeOf, isDeleting, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { amountOf } from '#lib/server/registry/kinds/shared/int-or-percent.ts';
import { REVISION_LABEL } from '../history/revision.ts';
import { minReadySecondsOf } from '../replicaset/decide.ts';
import { type NewPod, podOf } from '../workload/pod-of.ts';
import { affinityTo, targetOf } from './node-affinity.ts';
import { daemonTolerations } from './tolerations.ts';

const GENERATION = 'deprecated.daemonset.template.generation';
const GENERATION_LABEL = 'pod-template-generation';

/** A set with its pods, and all nodes. */
export interface Observed {
  readonly set: DaemonSet;
  /** The pods that the set controls. */
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  /** The value of the revision label on pods of the set's template. */
  readonly hash: string;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** The same, with pods and placements grouped by node. */
export interface View extends Observed {
  /** Pods by the node that they run on or are bound to, without terminal pods that are being deleted. */
  readonly byNode: ReadonlyMap<string, readonly Pod[]>;
  readonly placements: ReadonlyMap<string, Placement>;
}

/** Whether a node needs a pod, and whether it may keep an existing one. */
export interface Placement {
  readonly shouldRun: boolean;
  readonly mayStay: boolean;
}

const NOWHERE: Placement = { shouldRun: false, mayStay: false };

/** Groups the pods of a set by node, and computes the placement on each node. */
export function viewOf(observed: Observed): View {
  const byNode = new Map<string, Pod[]>();
  for (const pod of observed.pods) {
    const target = isPodTerminal(pod) && isDeleting(pod) ? undefined : targetOf(pod);
    if (target !== undefined) byNode.set(target, [...(byNode.get(target) ?? []), pod]);
  }
  const placements = new Map(observed.nodes.map((node) => [nameOf(node), placementOn(observed.set, node)]));
  return { ...observed, byNode, placements };
}

/** Upstream's NodeShouldRunDaemonPod. */
export function placementOn(set: DaemonSet, node: Node): Placement {
  const { spec } = set.spec.template;
  const { nodeName: fixed = '' } = spec;
  if (fixed !== '' && fixed !== nameOf(node)) return NOWHERE;
  if (!requiredNodeAffinity(spec).matches(selectableNode(node))) return NOWHERE;
  const tolerations = daemonTolerations(spec);
  const toleratesAll = (effect: string): boolean => findUntoleratedTaint(node, tolerations, [effect]) === undefined;
  const mayStay = toleratesAll('NoExecute');
  return { shouldRun: mayStay && toleratesAll('NoSchedule'), mayStay };
}

/** A pod of the set for one node. */
export function daemonPod({ set, hash }: Observed, reference: OwnerReference, node: string): NewPod {
  const pod = podOf(set, reference);
  const { spec } = pod;
  const generation = generationOf(set);
  const labels = {
    ...labelsOf(pod),
    ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
    [REVISION_LABEL]: hash,
  };
  const affinity = affinityTo(node, spec.affinity);
  const placed = { ...spec, affinity, tolerations: [...daemonTolerations(spec)] };
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: placed };
}

/** The template generation of older API versions. Undefined if it is not a number. */
function generationOf(set: DaemonSet): string | undefined {
  const value = annotationsOf(set)[GENERATION];
  return value !== undefined && /^[+-]?\d{1,18}$/.test(value) ? String(Number(value)) : undefined;
}

/** Whether the pod has the set's current template. */
export function isUpdated({ set, hash }: Observed, pod: Pod): boolean {
  const labels = labelsOf(pod);
  const generation = generationOf(set);
  return labels[REVISION_LABEL] === hash || (generation !== undefined && labels[GENERATION_LABEL] === generation);
}

/** Whether a pod of the set is available. */
export const isAvailableIn = ({ set, now }: Observed, pod: Pod): boolean =>
  isPodAvailable(pod, minReadySecondsOf(set), now);

/** Orders pods: scheduled pods before pending ones, then older first. */
export function byAge(a: Pod, b: Pod): number {
  const waits = (pod: Pod): number => Number(nodeNameOf(pod) === '');
  const age = (pod: Pod): number => creationTimeOf(pod)?.getTime() ?? 0;
  return waits(a) - waits(b) || age(a) - age(b) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

/** Whether pods are updated to a new template automatically. */
export const isRolling = ({ spec }: DaemonSet): boolean => spec.updateStrategy.type === 'RollingUpdate';

/** An absolute number, or a percentage of all nodes rounded up. 0 for other strategies. */
function amount(set: DaemonSet, field: 'maxSurge' | 'maxUnavailable', nodes: number): number {
  if (!isRolling(set)) return 0;
  const value = set.spec.updateStrategy.rollingUpdate?.[field] ?? 0;
  const number = amountOf(value);
  return typeof value === 'string' && value.endsWith('%') ? Math.ceil((number * nodes) / 100) : number;
}

/** The maxSurge and maxUnavailable of an update. If both are zero, one pod may be unavailable. */
export function limitsOf(set: DaemonSet, nodes: number): { readonly surge: number; readonly unavailable: number } {
  const surge = amount(set, 'maxSurge', nodes);
  const unavailable = amount(set, 'maxUnavailable', nodes);
  return { surge, unavailable: nodes > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Whether a node may have two pods during an update. */
export const allowsSurge = (set: DaemonSet): boolean => amount(set, 'maxSurge', 1) > 0;
