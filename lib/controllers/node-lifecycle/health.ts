import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node, NodeCondition } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import { parseMicroTime } from '#lib/machinery/time.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';
import { timeOf } from '../workload/conditions.ts';

/** Milliseconds without a sign of life after which a node counts as lost. */
export interface GracePeriods {
  /** Upstream's --node-monitor-grace-period. */
  readonly monitor: number;
  /** The period of a node that has never reported its status: upstream's --node-startup-grace-period. */
  readonly startup: number;
}

/** Upstream's defaults. */
export const GRACE: GracePeriods = { monitor: 50_000, startup: 60_000 };

/** Conditions that kubelets report. Others report the condition of the network. */
const TYPES = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The Ready condition of a node; undefined where it has none. */
export const readyOf = ({ status }: Node): NodeCondition | undefined =>
  status.conditions?.find(({ type }) => type === 'Ready');

/** `True`, `False` or `Unknown`; empty for a node without the condition. */
export const readiness = (node: Node): string => readyOf(node)?.status ?? '';

/** When the node last said that it lives, by its own clock, in milliseconds since 1970; undefined where it is ready and never said so. */
export function heartbeatOf(node: Node, lease: Lease | undefined): number | undefined {
  const renewed = millisecondsOf(lease?.spec.renewTime, parseMicroTime);
  const ready = readyOf(node);
  const said = ready === undefined ? creationTimeOf(node)?.getTime() : millisecondsOf(ready.lastHeartbeatTime);
  return renewed === undefined || said === undefined ? (renewed ?? said) : Math.max(renewed, said);
}

/** The grace period of a node, in milliseconds. */
export const graceOf = (node: Node, grace: GracePeriods): number =>
  readyOf(node) === undefined ? grace.startup : grace.monitor;

/** The conditions of a node that is lost; undefined where it is known to be. */
export function lostConditions(node: Node, now: number): readonly NodeCondition[] | undefined {
  if (readiness(node) === 'Unknown') return undefined;
  const { conditions = [] } = node.status;
  const held = conditions.map((one) => (TYPES.includes(one.type) ? unknown(one, now) : one));
  const missing = TYPES.filter((type) => !held.some((one) => one.type === type));
  return [...held, ...missing.map((type) => neverSaid(node, type, now))];
}

function unknown(condition: NodeCondition, now: number): NodeCondition {
  if (condition.status === 'Unknown') return condition;
  const why = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
  return { ...condition, status: 'Unknown', ...why, lastTransitionTime: timeOf(now) };
}

const neverSaid = (node: Node, type: string, now: number): NodeCondition => ({
  type,
  status: 'Unknown',
  reason: 'NodeStatusNeverUpdated',
  message: 'Kubelet never posted node status.',
  lastHeartbeatTime: node.metadata.creationTimestamp ?? null,
  lastTransitionTime: timeOf(now),
});

/**
 * The times when this process last heard of each node. Clocks of nodes may be wrong: only a change of their times counts, except
 * the first time, when nothing better is known. A node that gives no time counts as heard of when it is first seen.
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
