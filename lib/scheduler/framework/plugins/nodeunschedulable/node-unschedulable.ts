import type { Node, Pod, Taint } from '#lib/api/types/core.v1.ts';
import { tolerated } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { clusterEvent } from '../../events.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus } from '../../status.ts';

const TAINT: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const isUnschedulable = ({ spec }: Node): boolean => spec.unschedulable === true;
/** Whether the pod tolerates the taint of cordoned nodes and may go there. */
const toleratesIt = ({ spec }: Pod): boolean => tolerated(TAINT, spec.tolerations ?? []);

/** Rejects cordoned nodes. */
export const nodeUnschedulable = (): Plugin => ({
  name: 'NodeUnschedulable',
  eventsToRegister: () => [
    clusterEvent(
      'Node',
      ['Add', 'UpdateNodeTaint'],
      (_pod, { before, after }) =>
        after !== undefined && !isUnschedulable(after) && (before === undefined || isUnschedulable(before)),
    ),
    clusterEvent(
      'Pod',
      ['UpdatePodToleration'],
      (pod, { after }) => after !== undefined && uidOf(after) === uidOf(pod) && toleratesIt(after),
    ),
  ],
  sign: ({ pod }) => pod.spec.tolerations ?? [],
  filter(_state, { pod }, { node }) {
    if (!isUnschedulable(node) || toleratesIt(pod)) return undefined;
    return newStatus('UnschedulableAndUnresolvable', 'node(s) were unschedulable');
  },
});
