import { objectAt } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus } from '../../status.ts';

/** A pod waits until nobody holds a gate before it (KEP-3521). */
export const schedulingGates = (): Plugin => ({
  name: 'SchedulingGates',
  eventsToRegister: () => [
    {
      event: { resource: 'Pod', actions: ['UpdatePodSchedulingGatesEliminated'] },
      hint: (pod, { after }) => after !== undefined && uidOf(after) === uidOf(pod),
    },
  ],
  preEnqueue({ pod }) {
    const gates = items(objectAt(pod, 'spec'), 'schedulingGates').map((gate) => text(gate, 'name'));
    if (gates.length === 0) return undefined;
    return newStatus('UnschedulableAndUnresolvable', `waiting for scheduling gates: [${gates.join(' ')}]`);
  },
});
