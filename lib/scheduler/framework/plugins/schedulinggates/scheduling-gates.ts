import { uidOf } from '#lib/machinery/meta.ts';
import { clusterEvent } from '../../events.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus } from '../../status.ts';

/** Keeps a pod out of the queue until all its scheduling gates are removed (KEP-3521). */
export const schedulingGates = (): Plugin => ({
  name: 'SchedulingGates',
  eventsToRegister: () => [
    clusterEvent(
      'Pod',
      ['UpdatePodSchedulingGatesEliminated'],
      (pod, { after }) => after !== undefined && uidOf(after) === uidOf(pod),
    ),
  ],
  preEnqueue({ pod }) {
    const { schedulingGates: gates = [] } = pod.spec;
    if (gates.length === 0) return undefined;
    const names = gates.map(({ name }) => name).join(' ');
    return newStatus('UnschedulableAndUnresolvable', `waiting for scheduling gates: [${names}]`);
  },
});
