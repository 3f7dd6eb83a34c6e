import { objectAt } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus } from '../../status.ts';

/** Of a pod that names its node no other comes into question. */
export const nodeName = (): Plugin => ({
  name: 'NodeName',
  eventsToRegister: () => [{ event: { resource: 'Node', actions: ['Add'] } }],
  filter(_state, { pod }, node) {
    const wanted = text(objectAt(pod, 'spec'), 'nodeName');
    if (wanted === '' || wanted === node.name) return undefined;
    return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match the requested node name");
  },
});
