import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { Rounds } from '../admission.ts';
import { anAttributes, lookupOf } from '../testing.ts';
import { nodeRestriction } from './node-restriction.ts';

const lookup = lookupOf({ '/nodes': [{ metadata: { name: 'mine', uid: 'node-uid' } }] });
const plugin = nodeRestriction(lookup, async () => ({ decision: 'noOpinion', reason: '' }));
const user = { name: 'system:node:mine', groups: ['system:nodes', 'system:authenticated'] };
const owner = { apiVersion: 'v1', kind: 'Node', name: 'mine', uid: 'node-uid', controller: true };
const mirror = (spec: JsonObject, status: JsonObject = {}): JsonObject => ({
  metadata: {
    name: 'm',
    namespace: 'ns',
    annotations: { 'kubernetes.io/config.mirror': 'x' },
    ownerReferences: [owner],
  },
  spec: { nodeName: 'mine', containers: [], ...spec },
  status,
});
const about = { user, resource: 'pods', namespace: 'ns', name: 'm' };

test("rejects a node's mirror pod that refers to a resource claim", async () => {
  const object = mirror({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'foreign' }] });
  const asked = plugin.admit?.(anAttributes({ ...about, object }), new Rounds());
  await expect(asked).rejects.toThrow('node "mine" can not create pods that reference resourceclaims');
});

test.each<JsonObject>([
  { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'foreign' }] },
  { extendedResourceClaimStatus: { resourceClaimName: 'foreign', requestMappings: [] } },
])("rejects a node's change of a pod's claims through its status", async (status) => {
  const change = {
    operation: 'UPDATE',
    subresource: 'status',
    oldObject: mirror({}),
    object: mirror({}, status),
  } as const;
  const asked = plugin.admit?.(anAttributes({ ...about, ...change }), new Rounds());
  await expect(asked).rejects.toThrow(/cannot update (?:resource claim statues|extended resource claim status)/);
});
