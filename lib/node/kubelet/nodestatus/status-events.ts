import type { Node, NodeStatus } from '#lib/api/types/core.v1.ts';
import { findCondition } from '#lib/machinery/conditions.ts';

/** An event about the node. */
export interface NodeEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Conditions whose changes are recorded, in upstream's order, with the reasons for True and False. */
const CONDITIONS = [
  ['MemoryPressure', 'NodeHasInsufficientMemory', 'NodeHasSufficientMemory'],
  ['DiskPressure', 'NodeHasDiskPressure', 'NodeHasNoDiskPressure'],
  ['PIDPressure', 'NodeHasInsufficientPID', 'NodeHasSufficientPID'],
  ['Ready', 'NodeReady', 'NodeNotReady'],
] as const;

/** Records changes of a node's status as events (upstream: recordNodeStatusEvent and the setters that call it). */
export class NodeStatusEvents {
  #hasRebooted = false;
  #isUnschedulable = false;

  /**
   * The events for a written status. `before` is the server's previous version, without conditions for a new Node. A reboot is only
   * recorded once.
   */
  between(before: Pick<NodeStatus, 'conditions' | 'nodeInfo'>, { metadata, spec, status }: Node): NodeEvent[] {
    const name = metadata.name ?? '';
    const told = (reason: string): NodeEvent => ({
      type: 'Normal',
      reason,
      message: `Node ${name} status is now: ${reason}`,
    });
    const conditions = CONDITIONS.flatMap(([type, whenTrue, whenFalse]) => {
      const [old, now] = [statusOf(before, type), statusOf(status, type)];
      const isNew = old === undefined && type === 'Ready'; // the first condition Ready is not a change
      return now === undefined || now === old || isNew ? [] : [told(now === 'True' ? whenTrue : whenFalse)];
    });
    return [
      ...this.#reboot(before.nodeInfo.bootID, status.nodeInfo.bootID, name),
      ...conditions,
      ...this.#schedulable(spec.unschedulable ?? false).map(told),
    ];
  }

  #reboot(before: string, after: string, name: string): NodeEvent[] {
    if (this.#hasRebooted || before === '' || before === after) return [];
    this.#hasRebooted = true;
    return [{ type: 'Warning', reason: 'Rebooted', message: `Node ${name} has been rebooted, boot id: ${after}` }];
  }

  #schedulable(isUnschedulable: boolean): string[] {
    if (isUnschedulable === this.#isUnschedulable) return [];
    this.#isUnschedulable = isUnschedulable;
    return [isUnschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable'];
  }
}

const statusOf = ({ conditions }: Pick<NodeStatus, 'conditions'>, wanted: string): string | undefined =>
  findCondition(conditions, wanted)?.status;
