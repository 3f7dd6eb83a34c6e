import { typedObject } from '#lib/api/typed.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { nodeStatusHasChanged } from '#lib/helpers/component-helpers/node/status-has-changed.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { sameMetadata } from '#lib/machinery/meta.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';

const HOUR = 3_600_000;

/**
 * Whether a change is only a node's heartbeat, as sent every five minutes. Reconcilers detect silent nodes with their own timers. The first
 * heartbeat of each hour counts as a real change, so that a lost timer is restarted. Throws TypeError if the body is not an object.
 */
export function isHeartbeatAlone(change: ObjectChange): boolean {
  if (change.resource !== NODES.resource || change.group !== NODES.group || change.type !== 'MODIFIED') return false;
  const stored = change.previous?.();
  if (stored === undefined) return false;
  const [node, before] = [typedObject(NODES, change.object()), typedObject(NODES, stored)];
  if (!equal(node.spec, before.spec) || !sameMetadata(node, before)) return false;
  return !nodeStatusHasChanged(before.status, node.status) && hourOf(node) === hourOf(before);
}

/** The hour of the node's last report, by the node's clock. */
function hourOf({ status: { conditions = [] } }: Node): number {
  const times = conditions.map(({ lastHeartbeatTime }) => millisecondsOf(lastHeartbeatTime) ?? 0);
  return Math.floor(Math.max(0, ...times) / HOUR);
}
