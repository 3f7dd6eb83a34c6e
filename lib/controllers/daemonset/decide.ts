import type { Pod } from '#lib/api/types/core.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodTerminal, phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { REVISION_LABEL } from '../history/revision.ts';
import { update } from './update.ts';
import { allowsSurge, byAge, isAvailableIn, isRolling, type Placement, type View } from './view.ts';

/** A pod to delete. */
export interface Removal {
  readonly pod: Pod;
  /** The event to record before the deletion. */
  readonly event?: EventText;
  /** The node on which the pod failed, so that its replacement is delayed. */
  readonly failedOn?: string;
}

/** The work of one reconciliation: the nodes that need a new pod, and the pods to delete. */
export interface Decision {
  readonly create: readonly string[];
  readonly remove: readonly Removal[];
  /** The delay in ms until a failed pod may be replaced. */
  readonly lookIn: number | undefined;
}

/** Returns the time in ms until a pod that failed on the node may be replaced. */
export type Backoff = (node: string) => number;

/** Every node first gets its pod. Then pods are updated to the new template: upstream's updateDaemonSet. */
export function decide(view: View, backoff: Backoff): Decision {
  const managed = manage(view, backoff);
  if (managed.create.length + managed.remove.length > 0 || !isRolling(view.set)) return managed;
  const { create, remove } = update(view);
  return { create, remove: remove.map((pod) => ({ pod })), lookIn: managed.lookIn };
}

const NOTHING: Decision = { create: [], remove: [], lookIn: undefined };

function manage(view: View, backoff: Backoff): Decision {
  const here = [...view.placements].map(([node, placement]) => onNode(view, node, placement, backoff));
  const waits = here.map(({ lookIn }) => lookIn).filter((wait) => wait !== undefined);
  return {
    create: here.flatMap(({ create }) => create),
    remove: [...here.flatMap(({ remove }) => remove), ...withoutNode(view).map((pod) => ({ pod }))],
    lookIn: waits.length === 0 ? undefined : Math.min(...waits),
  };
}

/** Upstream's podsShouldBeOnNode. */
function onNode(view: View, node: string, { shouldRun, mayStay }: Placement, backoff: Backoff): Decision {
  const pods = view.byNode.get(node);
  if (pods === undefined) return shouldRun ? { ...NOTHING, create: [node] } : NOTHING;
  const staying = pods.filter((pod) => !isDeleting(pod));
  if (!mayStay) return { ...NOTHING, remove: staying.map((pod) => ({ pod })) };
  const ended = staying.filter((pod) => phaseOf(pod) === 'Succeeded').map(afterSuccess(node));
  const failed = staying.filter((pod) => phaseOf(pod) === 'Failed');
  const wait = failed.length === 0 ? 0 : backoff(node);
  const removed = wait > 0 ? [] : failed.map(afterFailure(node));
  const running = staying.filter((pod) => !isPodTerminal(pod)).sort(byAge);
  const isLacking = allowsSurge(view.set) && running.length === 0 && shouldRun;
  return {
    create: isLacking ? [node] : [],
    remove: [...ended, ...removed, ...excess(view, running).map((pod) => ({ pod }))],
    lookIn: wait > 0 ? wait : undefined,
  };
}

function afterFailure(node: string): (pod: Pod) => Removal {
  return (pod) => {
    const message = `Found failed daemon pod ${placeOf(pod)} on node ${node}, will try to kill it`;
    return { pod, event: { type: 'Warning', reason: 'FailedDaemonPod', message }, failedOn: node };
  };
}

function afterSuccess(node: string): (pod: Pod) => Removal {
  return (pod) => {
    const message = `Found succeeded daemon pod ${placeOf(pod)} on node ${node}, will try to delete it`;
    return { pod, event: { type: 'Normal', reason: 'SucceededDaemonPod', message } };
  };
}

const placeOf = (pod: Pod): string => `${namespaceOf(pod)}/${nameOf(pod)}`;

/**
 * The surplus pods on one node, oldest first. Without surge, all pods but the oldest are surplus. With surge, the oldest pod of each
 * revision may stay. The old one is surplus as soon as it is not ready or the new one is available.
 */
function excess(view: View, running: readonly Pod[]): readonly Pod[] {
  if (!allowsSurge(view.set) || running.length <= 1) return running.slice(1);
  const isNew = (pod: Pod): boolean => labelsOf(pod)[REVISION_LABEL] === view.hash;
  const [newest, ...others] = running.filter(isNew);
  const [oldest, ...older] = running.filter((pod) => !isNew(pod));
  const isDone = newest !== undefined && oldest !== undefined && (!isPodReady(oldest) || isAvailableIn(view, newest));
  return [...others, ...older, ...(isDone ? [oldest] : [])];
}

/** Pods for nodes that do not exist will never run, and no other controller deletes them. */
function withoutNode({ byNode, placements }: View): readonly Pod[] {
  const strays = [...byNode].filter(([node]) => !placements.has(node)).flatMap(([, pods]) => pods);
  return strays.filter((pod) => nodeNameOf(pod) === '');
}
