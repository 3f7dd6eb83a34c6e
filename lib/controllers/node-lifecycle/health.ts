import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node, NodeCondition } from '#lib/api/types/core.v1.ts';
import type { ManagedFieldsEntry } from '#lib/api/types/meta.v1.ts';
import { nodeReadyCondition } from '#lib/helpers/component-helpers/node/readiness.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import { parseMicroTime } from '#lib/machinery/time.ts';
import { millisecondsOf, timeOf } from '#lib/machinery/time-at.ts';
import { writesOf } from '../writes-of.ts';

/** The times in ms without a heartbeat after which a node counts as lost. */
export interface GracePeriods {
  /** Upstream's --node-monitor-grace-period. */
  readonly monitor: number;
  /** The period for a node that has never reported its status: upstream's --node-startup-grace-period. */
  readonly startup: number;
}

/** Upstream's defaults. */
export const GRACE: GracePeriods = { monitor: 50_000, startup: 60_000 };

/** Conditions that kubelets report. Other components report the network condition. */
const TYPES = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** `True`, `False` or `Unknown`. Empty for a node without the condition. */
export const readiness = (node: Node): string => nodeReadyCondition(node)?.status ?? '';

/** The last heartbeat of a node. */
export interface Heartbeat {
  /** The time in ms since 1970. Undefined if the node has a Ready condition but no time. */
  readonly said: number | undefined;
  /** Whether the time is from the node's own clock, which may be wrong. */
  readonly isOwn: boolean;
}

/**
 * The last heartbeat of a node: when the API server stored its Lease or its Ready condition. If no manager of these fields is known, the
 * time is from the node's own clock, or else its creation time.
 */
export function heartbeatOf(node: Node, lease: Lease | undefined): Heartbeat {
  const written = latest([...(lease?.metadata.managedFields ?? []).map(takenAt), ...reportsOf(node)]);
  if (written !== undefined) return { said: written, isOwn: false };
  const ready = nodeReadyCondition(node);
  const own = latest([
    millisecondsOf(lease?.spec.renewTime, parseMicroTime),
    ready && millisecondsOf(ready.lastHeartbeatTime),
  ]);
  if (own !== undefined) return { said: own, isOwn: true };
  return { said: ready === undefined ? creationTimeOf(node)?.getTime() : undefined, isOwn: false };
}

/** The times at which managers wrote the heartbeat time of the Ready condition. Only the agent writes it. */
const reportsOf = ({ metadata }: Node) =>
  writesOf(metadata, 'f:status', 'f:conditions', 'k:{"type":"Ready"}', 'f:lastHeartbeatTime').map(takenAt);

/** The end of the second in which the API server stored a write. */
function takenAt({ time }: ManagedFieldsEntry): number | undefined {
  const taken = millisecondsOf(time);
  return taken === undefined ? undefined : taken + 1000;
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** The grace period of a node in ms. */
export const graceOf = (node: Node, grace: GracePeriods): number =>
  nodeReadyCondition(node) === undefined ? grace.startup : grace.monitor;

/** The conditions of a lost node. Undefined if it already has them. */
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
  /** The latest time at which the node was alive. */
  readonly lived: number;
  /** The time at which this was last read. */
  readonly read: number;
}

/**
 * The times at which each node was last alive, as observed by this process. The age of a heartbeat is measured with the server's clock. The
 * node's own clock counts only if no other time is known.
 */
export class Heartbeats {
  readonly #heard = new Map<string, Heard>();

  /**
   * Returns the latest time at which the node was alive, in monotonic ms. A jump of the wall clock therefore neither marks a live node as
   * lost nor hides a lost one. A node without a time counts as alive when it is first seen.
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

/** A node with a new heartbeat time was alive after the last read. */
const later = (known: Heard, { said, spoke }: { readonly said: number | undefined; readonly spoke: number }): number =>
  known.said === said ? known.lived : Math.max(known.read, spoke);

/** The delay of a check in ms above which the check counts as late. */
const LATE = 5000;
/** The interval in ms at which kubelets renew their Lease, the same as upstream's. */
const RENEWAL = 10_000;

/**
 * The times, in monotonic ms, at which silent nodes count as lost. A late check shows that this process was suspended and received no
 * heartbeats. Nodes then have one more interval to renew their Lease.
 */
export class Deadlines {
  readonly #deadlines = new Map<string, { readonly lost: number; readonly until: number }>();

  /** The time in ms until the node is lost, 0 if it is. `lost` is the end of its grace period. */
  left(node: string, lost: number, now: number): number {
    const known = this.#deadlines.get(node);
    const until = known?.lost === lost ? known.until : lost;
    const isLate = known?.lost === lost && until === lost && now - lost > LATE;
    const next = isLate ? now + RENEWAL : until;
    this.#deadlines.set(node, { lost, until: next > now ? next : Number.NEGATIVE_INFINITY });
    return Math.max(0, next - now);
  }

  forget(node: string): void {
    this.#deadlines.delete(node);
  }
}
