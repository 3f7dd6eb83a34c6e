import { equal } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { type ClusterEventWithHint, clusterEvent } from '../../events.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import { podResourceClaims } from './pod-resource-claims.ts';
import { isAllocated } from './state.ts';

/** The changes that may help a pod that waits for devices. */
export const eventsOf = (tracker: ClaimTracker): readonly ClusterEventWithHint[] => [
  clusterEvent('Node', ['Add', 'UpdateNodeLabel', 'UpdateNodeAllocatable']),
  clusterEvent('ResourceClaim', ['Add', 'Update'], (pod, { before, after }) => {
    const claims = podResourceClaims(tracker, pod);
    if (typeof claims === 'string' || after === undefined) return false;
    // Devices became free, and any pod may need them.
    if (before !== undefined && isAllocated(before) && !isAllocated(after)) return true;
    if (!claims.some((claim) => uidOf(claim) === uidOf(after))) return false;
    return before === undefined || !equal(before.status, after.status);
  }),
  clusterEvent(
    'Pod',
    ['UpdatePodGeneratedResourceClaim'],
    (pod, { after }) =>
      after !== undefined && uidOf(after) === uidOf(pod) && typeof podResourceClaims(tracker, after) !== 'string',
  ),
  clusterEvent('DeviceClass', ['Add', 'Update']),
  clusterEvent('ResourceSlice', ['Add', 'Update']),
];
