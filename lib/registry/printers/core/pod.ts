import { humanDuration } from '#lib/machinery/human-duration.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, textOr } from '../cells.ts';
import { column, named, wide } from '../columns.ts';
import { podSummary, type PodSummary } from './pod-summary.ts';

/** Upstream's printPod. */
export const pod: TablePrinter = {
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
    const spec = objectAt(object, 'spec');
    const status = objectAt(object, 'status');
    const summary = podSummary(object);
    return [
      nameOf(object),
      `${summary.ready}/${summary.total}`,
      reasonOf(object, summary),
      restartsText(summary, now),
      age(object, now),
      textOr(items(status, 'podIPs')[0], 'ip', NONE),
      textOr(spec, 'nodeName', NONE),
      textOr(status, 'nominatedNodeName', NONE),
      readinessGates(spec, status),
    ];
  },
  conditions(object) {
    const phase = text(objectAt(object, 'status'), 'phase');
    const message = PHASES_AT_END.get(phase);
    return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason: phase, message }];
  },
};

const PHASES_AT_END: ReadonlyMap<string, string> = new Map([
  ['Succeeded', 'The pod has completed successfully.'],
  ['Failed', 'The pod failed.'],
]);

/** What the deletion of a pod makes of its reason. */
function reasonOf(object: JsonObject, { reason }: PodSummary): string {
  if (!isDeleting(object)) return reason;
  const status = objectAt(object, 'status');
  if (text(status, 'reason') === 'NodeLost') return 'Unknown';
  return PHASES_AT_END.has(text(status, 'phase')) ? reason : 'Terminating';
}

function restartsText({ restarts, restartedAt }: PodSummary, now: Date): string {
  if (restarts === 0 || restartedAt === undefined) return String(restarts);
  return `${restarts} (${humanDuration(now.getTime() - restartedAt)} ago)`;
}

function readinessGates(spec: JsonObject | undefined, status: JsonObject | undefined): string {
  const gates = items(spec, 'readinessGates');
  if (gates.length === 0) return NONE;
  const conditions = items(status, 'conditions');
  const met = gates.filter((gate) => {
    const found = conditions.find((condition) => text(condition, 'type') === text(gate, 'conditionType'));
    return text(found, 'status') === 'True';
  });
  return `${met.length}/${gates.length}`;
}
