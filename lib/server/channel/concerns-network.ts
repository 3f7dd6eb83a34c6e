import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { equal } from '#lib/machinery/json-value.ts';

/** Whether a change of a pod affects the networks of other nodes: its labels and addresses, which policies select, or its termination. */
export const podConcernsNetworks = (pod: Pod, before: Pod): boolean =>
  !equal(pod.metadata.labels ?? {}, before.metadata.labels ?? {}) ||
  !equal(addressesOf(pod), addressesOf(before)) ||
  isPodTerminal(pod) !== isPodTerminal(before);

/** Whether a pod has an address at which other pods reach it. */
export const hasAddress = (pod: Pod): boolean => addressesOf(pod).length > 0;

/** Whether a change of a Node affects the networks of other nodes: its addresses, its pod CIDRs or its labels. */
export const nodeConcernsNetworks = (node: Node, before: Node): boolean =>
  !equal(node.metadata.labels ?? {}, before.metadata.labels ?? {}) ||
  !equal(node.spec.podCIDRs ?? [], before.spec.podCIDRs ?? []) ||
  !equal(node.status.addresses ?? [], before.status.addresses ?? []);

const addressesOf = ({ status: { podIP, podIPs = podIP === undefined ? [] : [{ ip: podIP }] } }: Pod): string[] =>
  podIPs.map(({ ip }) => ip);
