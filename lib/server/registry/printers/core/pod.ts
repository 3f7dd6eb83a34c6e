import type { Pod, PodSpec, PodStatus } from '#lib/api/types/core.v1.ts';
import { isConditionTrue } from '#lib/machinery/conditions.ts';
import { humanDuration } from '#lib/machinery/human-duration.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named, wide } from '../columns.ts';
import { type PodSummary, podSummary } from './pod-summary.ts';

/** Upstream's printPod. */
export const pod: TablePrinter<Pod> = {
  columns: [
    ...named(
      column('Ready', 'How many of the containers are ready.'),
      column('Status', 'What the pod as a whole is doing, or why it is not.'),
      column('Restarts', 'How often containers were restarted, and how long ago the last one was.'),
    ),
    wide('IP', 'The first address of the pod.'),
    wide('Node', 'The node that the pod is bound to.'),
    wide('Nominated Node', 'The node on which room is being made for the pod.'),
    wide('Readiness Gates', 'How many of the additional conditions for readiness are met.'),
  ],
  cells(object, now) {
    const { spec, status } = object;
    const summary = podSummary(object);
    return [
      nameOf(object),
      `${summary.ready}/${summary.total}`,
      reasonOf(object, summary),
      restartsText(summary, now),
      age(object, now),
      status.podIPs?.[0]?.ip || NONE,
      spec.nodeName || NONE,
      status.nominatedNodeName || NONE,
      readinessGates(spec, status),
    ];
  },
  conditions(object) {
    const { phase = '' } = object.status;
    const message = PHASES_AT_END.get(phase);
    return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason: phase, message }];
  },
};

const PHASES_AT_END: ReadonlyMap<string, string> = new Map([
  ['Succeeded', 'The pod has completed successfully.'],
  ['Failed', 'The pod failed.'],
]);

/** The reason shown for a pod. A deletion may override it. */
function reasonOf(object: Pod, { reason }: PodSummary): string {
  if (!isDeleting(object)) return reason;
  if (object.status.reason === 'NodeLost') return 'Unknown';
  return PHASES_AT_END.has(object.status.phase ?? '') ? reason : 'Terminating';
}

function restartsText({ restarts, restartedAt }: PodSummary, now: Date): string {
  if (restarts === 0 || restartedAt === undefined) return String(restarts);
  return `${restarts} (${humanDuration(now.getTime() - restartedAt)} ago)`;
}

function readinessGates({ readinessGates: gates = [] }: PodSpec, { conditions = [] }: PodStatus): string {
  if (gates.length === 0) return NONE;
  const met = gates.filter(({ conditionType }) => isConditionTrue(conditions, conditionType));
  return `${met.length}/${gates.length}`;
}
