import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { millisecondsOf } from './container-status.ts';

/** Milliseconds from one renewal to the next: a quarter of the lease's duration, as the kubelet's. */
export const RENEWAL = 10_000;

/** The node's Lease as it is to be now; undefined where it was renewed within ten seconds. */
export function renewedLease(node: Node, lease: Lease | undefined, now: number): Lease | undefined {
  const renewed = millisecondsOf(lease?.spec.renewTime);
  if (renewed <= now && now - renewed < RENEWAL) return undefined;
  const owner = { apiVersion: 'v1', kind: 'Node', name: nameOf(node), uid: uidOf(node) };
  const metadata = lease?.metadata ?? { name: nameOf(node), namespace: 'kube-node-lease' };
  const renewTime = microTimeText(instantOf(new Date(now))) ?? '';
  return {
    ...lease,
    metadata: { ...metadata, ownerReferences: [owner] },
    spec: { holderIdentity: nameOf(node), leaseDurationSeconds: 40, renewTime },
  };
}
