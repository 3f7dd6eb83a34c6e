import { defined } from '#lib/machinery/defined.ts';
import { fitErrorMessage } from './framework/fit-error.ts';
import type { NodeToStatus } from './framework/interface.ts';
import type { NodeInfo } from './framework/node-info.ts';
import { isRejected, type Status } from './framework/status.ts';

/** Collects the reasons why a pod found no node: upstream's Diagnosis. */
export class Diagnosing {
  readonly filtered = new Map<string, Status>();
  /** The plugins that refused the pod, and those that wait for an external event. */
  readonly unschedulablePlugins = new Set<string>();
  readonly pendingPlugins = new Set<string>();
  /** The status of nodes that are not in `filtered`. */
  absent: Status | undefined;
  preFilter = '';
  postFilter = '';
  readonly #nodes: readonly NodeInfo[];

  constructor(nodes: readonly NodeInfo[]) {
    this.#nodes = nodes;
  }

  refuse(nodeName: string, status: Status): void {
    this.filtered.set(nodeName, status);
    this.blame(status);
  }

  blame({ plugin, code }: Status): void {
    if (plugin === undefined || plugin === '') return;
    if (code === 'Pending') this.pendingPlugins.add(plugin);
    else if (code !== 'Error') this.unschedulablePlugins.add(plugin);
  }

  /** The statuses that PostFilter receives. If PreFilter rejected the pod, all nodes have the same status. */
  get nodeToStatus(): NodeToStatus {
    const { absent } = this;
    if (this.preFilter === '' || absent === undefined) return this.filtered;
    return new Map(this.#nodes.map(({ name }) => [name, absent]));
  }

  get message(): string {
    const { filtered, absent, preFilter, postFilter } = this;
    const nodes = this.#nodes.length;
    return fitErrorMessage({ nodes, filtered, preFilter, postFilter, ...defined({ absent }) });
  }
}

/** The diagnosis of a single node that refused the pod after it had been chosen. */
export function diagnosisOfNode(node: NodeInfo | undefined, status: Status): Diagnosing | undefined {
  if (node === undefined || !isRejected(status)) return undefined;
  const diagnosis = new Diagnosing([node]);
  diagnosis.refuse(node.name, status);
  return diagnosis;
}
