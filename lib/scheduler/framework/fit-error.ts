import type { NodeToStatus } from './interface.ts';
import type { Status } from './status.ts';

/** Why a pod found no node: upstream's Diagnosis. */
export interface Diagnosis {
  /** Nodes in all. */
  readonly nodes: number;
  readonly filtered: NodeToStatus;
  /** What is said of nodes that are not in `filtered`. */
  readonly absent?: Status;
  /** What PreFilter said, where it refused the pod: then nodes are not told of. */
  readonly preFilter?: string;
  readonly postFilter?: string;
}

/** What is told of a pod that found no node: upstream's FitError, reasons counted. */
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
