import type { Snapshot } from '../../framework/interface.ts';
import type { NodeInfo } from '../../framework/node-info.ts';

/** A snapshot of these nodes, in this order. What of them has affinity is found when it is asked for first. */
export function newSnapshot(nodes: readonly NodeInfo[]): Snapshot {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  let withAffinity: readonly NodeInfo[] | undefined;
  let withRequiredAntiAffinity: readonly NodeInfo[] | undefined;
  return {
    nodes,
    get: (name) => byName.get(name),
    get withAffinity() {
      return (withAffinity ??= nodes.filter((node) => node.podsWithAffinity.size > 0));
    },
    get withRequiredAntiAffinity() {
      return (withRequiredAntiAffinity ??= nodes.filter((node) => node.podsWithRequiredAntiAffinity.size > 0));
    },
  };
}
