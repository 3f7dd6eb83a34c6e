import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { newLease } from '#lib/node/kubelet/nodelease.ts';
import { millisecondsOf } from './container-status.ts';

/** The duration of a Lease in seconds and its renewal interval in ms. The interval is a quarter of the duration, as in the kubelet. */
const DURATION = 40;
export const RENEWAL = (DURATION * 1000) / 4;

/** The node's renewed Lease. Undefined if it was renewed within the last ten seconds. */
export function renewedLease(node: Node, lease: Lease | undefined, now: number): Lease | undefined {
  const renewed = millisecondsOf(lease?.spec.renewTime);
  if (renewed <= now && now - renewed < RENEWAL) return undefined;
  return newLease({ node: nameOf(node), duration: DURATION }, uidOf(node), lease, now);
}
