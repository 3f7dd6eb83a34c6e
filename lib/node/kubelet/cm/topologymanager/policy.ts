import { quote } from '#lib/machinery/go.ts';
import type { NumaNode } from '../machine-topology.ts';
import { countOf } from './bitmask.ts';
import type { TopologyHint, TopologyHints } from './hint-provider.ts';
import { filterProvidersHints, mergeHints } from './merge.ts';
import { NumaInfo, narrowest } from './numa-info.ts';
import { type TopologyPolicyOptions, topologyPolicyOptions } from './policy-options.ts';

/** A policy's decision about the hints of all providers. */
export interface TopologyVerdict {
  readonly hint: TopologyHint;
  readonly admit: boolean;
}

/** Merges hints and decides whether the result is good enough (upstream: topologymanager.Policy). */
export interface TopologyPolicy {
  readonly name: TopologyPolicyName;
  merge(providers: readonly TopologyHints[]): TopologyVerdict;
}

/** Values of `topologyManagerPolicy`. */
export type TopologyPolicyName = 'none' | 'best-effort' | 'restricted' | 'single-numa-node';

/** Admits every pod without an affinity. */
export const nonePolicy: TopologyPolicy = {
  name: 'none',
  merge: () => ({ hint: { affinity: undefined, preferred: false }, admit: true }),
};

/** The policy with this name. Throws Error with upstream's text for an unknown name, invalid options, or a machine with too many nodes. */
export function newTopologyPolicy(
  name: string,
  nodes: readonly NumaNode[],
  given: Readonly<Record<string, string>>,
): TopologyPolicy {
  if (name === 'none') return nonePolicy;
  const options = topologyPolicyOptions(given);
  const numa = numaInfo(nodes, options);
  if (nodes.length > options.maxAllowableNUMANodes)
    throw new Error(`unsupported on machines with more than ${options.maxAllowableNUMANodes} NUMA Nodes`);
  if (name === 'best-effort') return { name, merge: (hints) => ({ hint: merged(hints, numa, options), admit: true }) };
  if (name === 'restricted') return { name, merge: (hints) => ifPreferred(merged(hints, numa, options)) };
  if (name === 'single-numa-node') return { name, merge: (hints) => ifPreferred(singleNode(hints, numa)) };
  throw new Error(`unknown policy: ${quote(name)}`);
}

function numaInfo(nodes: readonly NumaNode[], options: TopologyPolicyOptions): NumaInfo {
  try {
    return new NumaInfo(nodes, options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot discover NUMA topology: ${message}`, { cause: error });
  }
}

const ifPreferred = (hint: TopologyHint): TopologyVerdict => ({ hint, admit: hint.preferred });

function merged(hints: readonly TopologyHints[], numa: NumaInfo, { preferClosestNUMA }: TopologyPolicyOptions) {
  return mergeHints(filterProvidersHints(hints), {
    defaultAffinity: numa.defaultAffinity,
    fitter: preferClosestNUMA ? (a, b) => numa.closest(a, b) : narrowest,
  });
}

/** Only considers preferred hints for a single node, or for any node. A result of all nodes means no affinity. */
function singleNode(hints: readonly TopologyHints[], numa: NumaInfo): TopologyHint {
  const { defaultAffinity } = numa;
  const single = filterProvidersHints(hints).map((list) =>
    list.filter(({ affinity, preferred }) => preferred && (affinity === undefined || countOf(affinity) === 1)),
  );
  const best = mergeHints(single, { defaultAffinity, fitter: narrowest });
  return best.affinity === defaultAffinity ? { affinity: undefined, preferred: best.preferred } : best;
}
