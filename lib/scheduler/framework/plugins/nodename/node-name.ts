import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { clusterEvent } from '../../events.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus } from '../../status.ts';

/** Rejects every node other than the one that the pod names. */
export const nodeName = (): Plugin => ({
  name: 'NodeName',
  eventsToRegister: () => [clusterEvent('Node', ['Add'])],
  sign: ({ pod }) => nodeNameOf(pod),
  filter(_state, { pod }, node) {
    const required = nodeNameOf(pod);
    if (required === '' || required === node.name) return undefined;
    return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match the requested node name");
  },
});
