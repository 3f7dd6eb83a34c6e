import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { creationTimeOf, metadataOf } from '#lib/machinery/meta.ts';
import { parseMicroTime } from '#lib/machinery/time.ts';
import { timeAt } from '#lib/machinery/time-at.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { conditionOf, conditionsOf, timeOf, type Conditions } from '../workload/conditions.ts';

/** Milliseconds without a sign of life after which a node counts as lost. */
export interface GracePeriods {
  /** Upstream's --node-monitor-grace-period. */
  readonly monitor: number;
  /** Of a node that never said how it is: upstream's --node-startup-grace-period. */
  readonly startup: number;
}

export const GRACE: GracePeriods = { monitor: 50_000, startup: 60_000 };

/** What a node says of itself. What the network is like others say. */
const TYPES = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

export const readyOf = (node: JsonObject): JsonObject | undefined => conditionOf(conditionsOf(node), 'Ready');

/** `True`, `False` or `Unknown`; empty where nobody said. */
export const readiness = (node: JsonObject): string => text(readyOf(node), 'status');

/** When the node last said that it lives, by its own clock, in milliseconds since 1970; undefined where it is ready and never said so. */
export function heartbeatOf(node: JsonObject, lease: JsonObject | undefined): number | undefined {
  const renewed = timeAt(objectAt(lease, 'spec'), 'renewTime', parseMicroTime);
  const ready = readyOf(node);
  const said = ready === undefined ? creationTimeOf(node)?.getTime() : timeAt(ready, 'lastHeartbeatTime');
  return renewed === undefined || said === undefined ? (renewed ?? said) : Math.max(renewed, said);
}

export const graceOf = (node: JsonObject, grace: GracePeriods): number =>
  readyOf(node) === undefined ? grace.startup : grace.monitor;

/** The conditions of a node that is lost; undefined where it is known to be. */
export function lostConditions(node: JsonObject, now: number): Conditions | undefined {
  if (readiness(node) === 'Unknown') return undefined;
  const held = conditionsOf(node).map((one) => (TYPES.includes(text(one, 'type')) ? unknown(one, now) : one));
  const missing = TYPES.filter((type) => conditionOf(held, type) === undefined);
  return [...held, ...missing.map((type) => neverSaid(node, type, now))];
}

function unknown(condition: JsonObject, now: number): JsonObject {
  if (text(condition, 'status') === 'Unknown') return condition;
  const why = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
  return { ...condition, status: 'Unknown', ...why, lastTransitionTime: timeOf(now) };
}

const neverSaid = (node: JsonObject, type: string, now: number): JsonObject => ({
  type,
  status: 'Unknown',
  reason: 'NodeStatusNeverUpdated',
  message: 'Kubelet never posted node status.',
  lastHeartbeatTime: text(metadataOf(node), 'creationTimestamp'),
  lastTransitionTime: timeOf(now),
});

/**
 * When this process last heard of each node. Clocks of nodes may be wrong: only that what they say changes counts, but for the first
 * time, when nothing better is known. A node that gives no time counts as heard of when it is first seen.
 */
export class Heartbeats {
  readonly #heard = new Map<string, { readonly said: number | undefined; readonly at: number }>();

  /** Monotonic, in milliseconds: a wall clock that jumps neither loses a node nor keeps a lost one. `said` is wall time. */
  note(node: string, said: number | undefined, clock: Pick<Clock, 'now' | 'monotonic'>): number {
    const known = this.#heard.get(node);
    if (known !== undefined && known.said === said) return known.at;
    const now = clock.monotonic();
    const age = known === undefined && said !== undefined ? Math.max(0, clock.now() - said) : 0;
    const at = now - age;
    this.#heard.set(node, { said, at });
    return at;
  }

  forget(node: string): void {
    this.#heard.delete(node);
  }
}
