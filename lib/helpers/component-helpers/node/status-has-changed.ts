import type { NodeCondition, NodeStatus } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';

/** Whether two statuses differ in more than the order of conditions and their heartbeats: upstream's nodeStatusHasChanged. */
export function nodeStatusHasChanged(before: NodeStatus, after: NodeStatus): boolean {
  return !equal(comparable(before), comparable(after));
}

const comparable = (status: NodeStatus): NodeStatus => ({
  ...status,
  conditions: (status.conditions ?? []).map(withoutHeartbeat).sort((a, b) => (a.type < b.type ? -1 : 1)),
});

const withoutHeartbeat = (condition: NodeCondition): NodeCondition => ({ ...condition, lastHeartbeatTime: null });
