import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { newLease } from '#lib/node/kubelet/nodelease.ts';
import { millisecondsOf } from './container-status.ts';

/** Seconds that a Lease is valid, and milliseconds from one renewal to the next: a quarter of that, as the kubelet's. */
const DURATION = 40;
export const RENEWAL = (DURATION * 1000) / 4;

/** The node's Lease as it is to be now; undefined where it was renewed within ten seconds. */
export function renewedLease(node: Node, lease: Lease | undefined, now: number): Lease | undefined {
  const renewed = millisecondsOf(lease?.spec.renewTime);
  if (renewed <= now && now - renewed < RENEWAL) return undefined;
  return newLease({ node: nameOf(node), duration: DURATION }, uidOf(node), lease, now);
}
