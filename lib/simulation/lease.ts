import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { timeAt } from './container-status.ts';

/** Milliseconds from one renewal to the next: a quarter of the lease's duration, as the kubelet's. */
export const RENEWAL = 10_000;

/** The node's Lease as it is to be now; undefined where it was renewed within ten seconds. */
export function renewedLease(node: JsonObject, lease: JsonObject | undefined, now: number): JsonObject | undefined {
  const renewed = timeAt(objectAt(lease, 'spec'), 'renewTime');
  if (renewed <= now && now - renewed < RENEWAL) return undefined;
  const owner = { apiVersion: 'v1', kind: 'Node', name: nameOf(node), uid: uidOf(node) };
  const metadata = objectAt(lease, 'metadata') ?? { name: nameOf(node), namespace: 'kube-node-lease' };
  const renewTime = microTimeText(instantOf(new Date(now)));
  return {
    ...lease,
    metadata: { ...metadata, ownerReferences: [owner] },
    spec: { holderIdentity: nameOf(node), leaseDurationSeconds: 40, renewTime },
  };
}
