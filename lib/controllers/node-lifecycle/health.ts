import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node, NodeCondition } from '#lib/api/types/core.v1.ts';
import type { ManagedFieldsEntry } from '#lib/api/types/meta.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import { parseMicroTime } from '#lib/machinery/time.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';
import { timeOf } from '../workload/conditions.ts';
import { writesOf } from '../writes-of.ts';

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

/** The last sign of life of a node. */
export interface Heartbeat {
  /** In milliseconds since 1970; undefined where the node is ready and gives no time. */
  readonly said: number | undefined;
  /** The time is of the node's own clock, which may be wrong. */
  readonly isOwn: boolean;
}

/**
 * When the node last said that it lives: when the API server took its Lease or its Ready condition; by its own clock where no manager of
 * these fields is known; else when it was created.
 */
export function heartbeatOf(node: Node, lease: Lease | undefined): Heartbeat {
  const written = latest([...(lease?.metadata.managedFields ?? []).map(takenAt), ...reportsOf(node)]);
  if (written !== undefined) return { said: written, isOwn: false };
  const ready = readyOf(node);
  const own = latest([
    millisecondsOf(lease?.spec.renewTime, parseMicroTime),
    ready && millisecondsOf(ready.lastHeartbeatTime),
  ]);
  if (own !== undefined) return { said: own, isOwn: true };
  return { said: ready === undefined ? creationTimeOf(node)?.getTime() : undefined, isOwn: false };
}

/** Times at which managers were known to write the time of the Ready condition: the agent's, for others leave it as it is. */
const reportsOf = ({ metadata }: Node) =>
  writesOf(metadata, 'f:status', 'f:conditions', 'k:{"type":"Ready"}', 'f:lastHeartbeatTime').map(takenAt);

/** The end of the second in which the API server took a write. */
function takenAt({ time }: ManagedFieldsEntry): number | undefined {
  const taken = millisecondsOf(time);
  return taken === undefined ? undefined : taken + 1000;
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
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

interface Heard {
  readonly said: number | undefined;
  /** When the node lived, at the latest. */
  readonly lived: number;
  /** When this was last read. */
  readonly read: number;
}

/**
 * The times when each node last lived, as this process knows. The server's clock tells how long ago a node spoke; the node's own does so
 * only where nothing else is known of it.
 */
export class Heartbeats {
  readonly #heard = new Map<string, Heard>();

  /**
   * When the node last lived, at the latest; monotonic, in milliseconds: a wall clock that jumps neither loses a node nor keeps a lost
   * one. A node that gives no time counts as alive when it is first seen.
   */
  note(node: string, { said, isOwn }: Heartbeat, clock: Pick<Clock, 'now' | 'monotonic'>): number {
    const known = this.#heard.get(node);
    const read = clock.monotonic();
    const spoke = read - (said === undefined ? 0 : Math.max(0, clock.now() - said));
    const lived = known === undefined ? spoke : later(known, { said, spoke: isOwn ? read : spoke });
    this.#heard.set(node, { said, lived, read });
    return lived;
  }

  forget(node: string): void {
    this.#heard.delete(node);
  }
}

/** A node that says another time spoke since it was last read. */
const later = (known: Heard, { said, spoke }: { readonly said: number | undefined; readonly spoke: number }): number =>
  known.said === said ? known.lived : Math.max(known.read, spoke);
