import type { Node, Taint } from '#lib/api/types/core.v1.ts';
import { isNodeReady, nodeReadyCondition } from '#lib/helpers/component-helpers/node/readiness.ts';
import { taintsOf } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';
import { readiness } from './health.ts';
import { executeTaints, hasTaint, NOT_READY, UNREACHABLE } from './taints.ts';

/** The rates, in nodes per second, at which pods are evicted, and the thresholds of zones: upstream's flags of these names. */
export interface EvictionRates {
  readonly nodeEvictionRate: number;
  readonly secondaryNodeEvictionRate: number;
  readonly largeClusterSizeThreshold: number;
  readonly unhealthyZoneThreshold: number;
}

/** Upstream's defaults. */
export const RATES: EvictionRates = {
  nodeEvictionRate: 0.1,
  secondaryNodeEvictionRate: 0.01,
  largeClusterSizeThreshold: 50,
  unhealthyZoneThreshold: 0.55,
};

/** The state of a zone, derived from its share of lost nodes. */
export type ZoneState = 'Normal' | 'PartialDisruption' | 'FullDisruption';

/** A node whose taints change. */
export interface Eviction {
  readonly node: Node;
  /** All taints that the node should have. */
  readonly taints: readonly Taint[];
}

/** The changes of NoExecute taints that are due, and the time in ms until the next ones. */
export interface Evictions {
  readonly changes: readonly Eviction[];
  readonly lookIn: number | undefined;
}

const LABELS = ['topology.kubernetes.io/', 'failure-domain.beta.kubernetes.io/'];

/** The region and zone of a node as one string, empty if it has neither. */
export function zoneOf(node: Node): string {
  const labels = labelsOf(node);
  const at = (name: string): string => LABELS.map((prefix) => labels[`${prefix}${name}`] ?? '').find(Boolean) ?? '';
  return at('region') === '' && at('zone') === '' ? '' : `${at('region')}:\0:${at('zone')}`;
}

/** Upstream's ComputeZoneState. */
export function zoneState(nodes: readonly Node[], { unhealthyZoneThreshold }: EvictionRates): ZoneState {
  const lost = nodes.filter((node) => !isNodeReady(node)).length;
  if (lost > 0 && lost === nodes.length) return 'FullDisruption';
  return lost > 2 && lost / nodes.length >= unhealthyZoneThreshold ? 'PartialDisruption' : 'Normal';
}

/**
 * Adds a NoExecute taint to lost nodes, one after the other at a rate per zone. If all zones are lost, it adds none, because the control
 * plane itself may be disconnected. The time of a zone's last taint is read from the taints, so another process continues at the same rate.
 */
export function decideEvictions(nodes: readonly Node[], rates: EvictionRates, now: number): Evictions {
  const zones = Map.groupBy(nodes, zoneOf);
  const states = new Map([...zones].map(([zone, all]) => [zone, stateOf(all, rates)]));
  const counted = [...states.values()].filter((state) => state !== undefined);
  const isAllLost = counted.length > 0 && counted.every((state) => state === 'FullDisruption');
  const perZone = [...zones].map(([zone, all]) =>
    isAllLost ? inZone(all, 0, now) : inZone(all, rateOf(all, states.get(zone), rates), now),
  );
  const cleared = isAllLost ? nodes.flatMap((node) => changed(node, undefined, now)) : [];
  const waits = perZone.flatMap(({ lookIn }) => lookIn ?? []);
  return {
    changes: isAllLost ? cleared : perZone.flatMap(({ changes }) => changes),
    lookIn: waits.length === 0 ? undefined : Math.min(...waits),
  };
}

/** Whether the node counts towards the state of its zone. */
export const isCounted = (node: Node): boolean => labelsOf(node)['node.kubernetes.io/exclude-disruption'] === undefined;

/** Undefined if no node of the zone counts. */
function stateOf(nodes: readonly Node[], rates: EvictionRates): ZoneState | undefined {
  const counted = nodes.filter(isCounted);
  return counted.length === 0 ? undefined : zoneState(counted, rates);
}

function rateOf(nodes: readonly Node[], state: ZoneState | undefined, rates: EvictionRates): number {
  if (state !== 'PartialDisruption') return rates.nodeEvictionRate;
  return nodes.filter(isCounted).length > rates.largeClusterSizeThreshold ? rates.secondaryNodeEvictionRate : 0;
}

/** The taint that a node should have. */
const taintFor = (node: Node): string | undefined => ({ False: NOT_READY, Unknown: UNREACHABLE })[readiness(node)];

const isTainted = (node: Node): boolean =>
  hasTaint(node, NOT_READY, 'NoExecute') || hasTaint(node, UNREACHABLE, 'NoExecute');

/** Replacing or removing a taint happens at once. Adding a first taint is rate-limited. */
function inZone(nodes: readonly Node[], rate: number, now: number): Evictions {
  const waiting = nodes.filter((node) => taintFor(node) !== undefined && !isTainted(node)).sort(longestFirst);
  const others = nodes.filter((node) => !waiting.includes(node) && readiness(node) !== '');
  const atOnce = others.flatMap((node) => changed(node, taintFor(node), now));
  const [next, ...more] = waiting;
  if (next === undefined || rate <= 0) return { changes: atOnce, lookIn: undefined };
  const period = 1000 / rate;
  const wait = Math.max(...nodes.map(lastTainted)) + period - now;
  if (wait > 0) return { changes: atOnce, lookIn: wait };
  const lookIn = more.length === 0 ? undefined : period;
  return { changes: [...atOnce, ...changed(next, taintFor(next), now)], lookIn };
}

function changed(node: Node, name: string | undefined, now: number): Eviction[] {
  const taints = executeTaints(node, name, now);
  return taints === undefined ? [] : [{ node, taints }];
}

function longestFirst(a: Node, b: Node): number {
  const since = (node: Node): string => nodeReadyCondition(node)?.lastTransitionTime ?? '';
  if (since(a) !== since(b)) return since(a) < since(b) ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** The time of the node's taint in ms since 1970. */
function lastTainted(node: Node): number {
  const ours = taintsOf(node).filter(
    ({ effect, key }) => effect === 'NoExecute' && [NOT_READY, UNREACHABLE].includes(key),
  );
  return Math.max(-Infinity, ...ours.flatMap(({ timeAdded }) => millisecondsOf(timeAdded) ?? []));
}
