import type { Node } from '#lib/api/types/core.v1.ts';
import { noInfo } from '../initial-node.ts';

/** A Node with these parts. */
export const aNode = (name: string, { spec = {}, addresses = [] }: NodeParts = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec,
  status: {
    addresses: addresses.map((address) => ({ type: 'InternalIP', address })),
    nodeInfo: noInfo(),
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  },
});

interface NodeParts {
  readonly spec?: Node['spec'];
  readonly addresses?: readonly string[];
}
