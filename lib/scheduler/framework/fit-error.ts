import type { NodeToStatus } from './interface.ts';
import type { Status } from './status.ts';

/** Why a pod found no node: upstream's Diagnosis. */
export interface Diagnosis {
  /** The total number of nodes. */
  readonly nodes: number;
  readonly filtered: NodeToStatus;
  /** The status of nodes that are not in `filtered`. */
  readonly absent?: Status;
  /** The message of PreFilter, if it rejected the pod. The message then lists no nodes. */
  readonly preFilter?: string;
  readonly postFilter?: string;
}

/** The message for a pod that fits no node, with the number of nodes for each reason: upstream's FitError. */
export function fitErrorMessage({ nodes, filtered, absent, preFilter = '', postFilter = '' }: Diagnosis): string {
  const start = `0/${nodes} nodes are available:`;
  const reasons = preFilter === '' ? reasonTexts(nodes, filtered, absent) : preFilter;
  return start + (reasons === '' ? '' : ` ${reasons}.`) + (postFilter === '' ? '' : ` ${postFilter}`);
}

function reasonTexts(nodes: number, filtered: NodeToStatus, absent: Status | undefined): string {
  const counts = new Map<string, number>();
  const add = (status: Status, times: number): void => {
    for (const reason of status.reasons) counts.set(reason, (counts.get(reason) ?? 0) + times);
  };
  for (const status of filtered.values()) add(status, 1);
  if (absent !== undefined && filtered.size < nodes) add(absent, nodes - filtered.size);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`);
  return texts.sort().join(', ');
}
