import { tolerated, tolerationsOf } from '#lib/component-helpers/scheduling/corev1/taints.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { flag } from '#lib/machinery/unstructured.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus } from '../../status.ts';

const TAINT: JsonObject = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const isUnschedulable = (node: JsonObject): boolean => flag(objectAt(node, 'spec'), 'unschedulable') === true;
/** Who tolerates the taint that stands for it goes to cordoned nodes too. */
const toleratesIt = (pod: JsonObject): boolean => tolerated(TAINT, tolerationsOf(pod));

/** Cordoned nodes get no pods. */
export const nodeUnschedulable = (): Plugin => ({
  name: 'NodeUnschedulable',
  eventsToRegister: () => [
    {
      event: { resource: 'Node', actions: ['Add', 'UpdateNodeTaint'] },
      hint: (_pod, { before, after }) =>
        after !== undefined && !isUnschedulable(after) && (before === undefined || isUnschedulable(before)),
    },
    {
      event: { resource: 'Pod', actions: ['UpdatePodToleration'] },
      hint: (pod, { after }) => after !== undefined && uidOf(after) === uidOf(pod) && toleratesIt(after),
    },
  ],
  filter(_state, { pod }, { node }) {
    if (!isUnschedulable(node) || toleratesIt(pod)) return undefined;
    return newStatus('UnschedulableAndUnresolvable', 'node(s) were unschedulable');
  },
});
