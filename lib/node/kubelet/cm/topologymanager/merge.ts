import { type BitMask, countOf, isNarrowerThan } from './bitmask.ts';
import type { TopologyHint, TopologyHints } from './hint-provider.ts';

/** A hint that is merged from several. */
export interface MergedHint {
  readonly affinity: BitMask;
  readonly preferred: boolean;
}

/**
 * The hints of every resource of every provider. A provider or resource without preference counts as one preferred hint for any node. A
 * resource that cannot be allocated counts as one hint that is not preferred.
 */
export const filterProvidersHints = (providers: readonly TopologyHints[]): (readonly TopologyHint[])[] =>
  providers.flatMap((hints): (readonly TopologyHint[])[] => {
    if (hints.size === 0) return [[{ affinity: undefined, preferred: true }]];
    return [...hints.values()].map((list) => {
      if (list === undefined) return [{ affinity: undefined, preferred: true }];
      return list.length === 0 ? [{ affinity: undefined, preferred: false }] : list;
    });
  });

/** The settings of a merge. */
export interface MergeOptions {
  /** All NUMA nodes. */
  readonly defaultAffinity: BitMask;
  /** The better one of two masks. */
  readonly fitter: (current: BitMask, candidate: BitMask) => BitMask;
}

/**
 * The best merged hint over all combinations with one hint per resource (upstream: HintMerger.Merge). A merged hint is preferred if all its
 * parts are preferred and have the same nodes. If every combination is empty, the result is all nodes, not preferred.
 */
export function mergeHints(
  resources: readonly (readonly TopologyHint[])[],
  { defaultAffinity, fitter }: MergeOptions,
): MergedHint {
  const bestCount = maxOfMinAffinityCounts(resources);
  let best: MergedHint | undefined;
  for (const choice of choices(resources)) {
    const merged = mergeChoice(defaultAffinity, choice);
    best = better(best, merged, (current, candidate) => fitterHint(current, candidate, { bestCount, fitter }));
  }
  return best ?? { affinity: defaultAffinity, preferred: false };
}

function* choices(
  resources: readonly (readonly TopologyHint[])[],
  chosen: readonly TopologyHint[] = [],
): Generator<readonly TopologyHint[]> {
  const next = resources[chosen.length];
  if (next === undefined) yield chosen;
  else for (const hint of next) yield* choices(resources, [...chosen, hint]);
}

function mergeChoice(defaultAffinity: BitMask, hints: readonly TopologyHint[]): MergedHint {
  const affinities = hints.flatMap(({ affinity }) => affinity ?? []);
  return {
    affinity: affinities.reduce((all, affinity) => all & affinity, defaultAffinity),
    preferred: hints.every(({ preferred }) => preferred) && affinities.every((affinity) => affinity === affinities[0]),
  };
}

/** The maximum number of nodes in the narrowest hints of all resources. */
function maxOfMinAffinityCounts(resources: readonly (readonly TopologyHint[])[]): number {
  const counts = resources.map((hints) => {
    const affinities = hints.flatMap(({ affinity }) => affinity ?? []);
    const [first, ...others] = affinities;
    return first === undefined ? 0 : countOf(others.reduce((a, b) => (isNarrowerThan(b, a) ? b : a), first));
  });
  return Math.max(0, ...counts);
}

type Compare = (current: MergedHint, candidate: MergedHint) => MergedHint;

/** A preferred hint beats one that is not preferred. Hints without nodes are ignored. */
function better(current: MergedHint | undefined, candidate: MergedHint, compare: Compare): MergedHint | undefined {
  if (candidate.affinity === 0n) return current;
  if (current === undefined) return candidate;
  if (current.preferred !== candidate.preferred) return current.preferred ? current : candidate;
  return compare(current, candidate);
}

/**
 * The better one of two hints that are both preferred or both not. Hints that are not preferred should have as many nodes as the most
 * demanding resource needs, or the closest lower number. Above that number, the fitter one wins.
 */
function fitterHint(
  current: MergedHint,
  candidate: MergedHint,
  { bestCount, fitter }: { readonly bestCount: number; readonly fitter: MergeOptions['fitter'] },
): MergedHint {
  const compared = fitter(current.affinity, candidate.affinity) === current.affinity ? current : candidate;
  if (current.preferred) return compared;
  const [now, then] = [countOf(current.affinity), countOf(candidate.affinity)];
  if (now > bestCount) return compared;
  if (now === then) return compared;
  if (now === bestCount || then > bestCount) return current;
  return then > now ? candidate : current;
}
