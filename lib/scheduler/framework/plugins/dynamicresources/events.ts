import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { has } from '#lib/machinery/unstructured.ts';
import type { ClusterEventWithHint } from '../../events.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import { podResourceClaims } from './pod-resource-claims.ts';

const isAllocated = (claim: JsonObject): boolean => has(objectAt(claim, 'status'), 'allocation');

/** What may help a pod that waits for devices. */
export const eventsOf = (tracker: ClaimTracker): readonly ClusterEventWithHint[] => [
  { event: { resource: 'Node', actions: ['Add', 'UpdateNodeLabel', 'UpdateNodeAllocatable'] } },
  {
    event: { resource: 'ResourceClaim', actions: ['Add', 'Update'] },
    hint(pod, { before, after }) {
      const claims = podResourceClaims(tracker, pod);
      if (typeof claims === 'string' || after === undefined) return false;
      // Devices became free, whoever had them.
      if (before !== undefined && isAllocated(before) && !isAllocated(after)) return true;
      if (!claims.some((claim) => uidOf(claim) === uidOf(after))) return false;
      return before === undefined || !equal(ownField(before, 'status'), ownField(after, 'status'));
    },
  },
  {
    event: { resource: 'Pod', actions: ['UpdatePodGeneratedResourceClaim'] },
    hint: (pod, { after }) =>
      after !== undefined && uidOf(after) === uidOf(pod) && typeof podResourceClaims(tracker, after) !== 'string',
  },
  { event: { resource: 'DeviceClass', actions: ['Add', 'Update'] } },
  { event: { resource: 'ResourceSlice', actions: ['Add', 'Update'] } },
];
