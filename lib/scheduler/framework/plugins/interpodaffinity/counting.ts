import { isEverything } from '#lib/machinery/labels/selector.ts';
import type { AffinityTerm, PodInfo } from '../../pod-info.ts';
import type { Counting, Share } from '../shared/domain-tally.ts';
import type { NodePlace } from '../shared/pod-journal.ts';
import { matchesAll, matchesTerm, termText } from './terms.ts';

/** A term and the weight of each pod that matches it. */
export interface Weighted {
  readonly term: AffinityTerm;
  /** Negative for anti-affinity. */
  readonly weight: number;
}

type Shares = readonly Share<Weighted>[];

const NO_SHARES: Shares = [];

function share(key: string, of: Weighted, { labels }: NodePlace): Shares {
  const domain = labels[of.term.topologyKey];
  return domain === undefined ? NO_SHARES : [{ key, of, domain }];
}

/** Counts equal terms of different pods together. */
const byText = (terms: readonly Weighted[], place: NodePlace): Shares =>
  terms.length === 0 ? NO_SHARES : terms.flatMap((of) => share(`${of.weight} ${termText(of.term)}`, of, place));

const unweighted = (term: AffinityTerm): Weighted => ({ term, weight: 1 });

/** Counts pods by their required anti-affinity terms. */
export const REQUIRED_ANTI_AFFINITY: Counting<Weighted> = {
  ofPod: ({ requiredAntiAffinityTerms: terms }, place) =>
    terms.length === 0 ? NO_SHARES : byText(terms.map(unweighted), place),
};

/** Counts pods by the terms that affect the score of other pods. Required affinity has the weight `hardWeight`. */
export const preferences = (hardWeight: number): Counting<Weighted> => ({
  ofPod: (pod, place) => byText(weightedTerms(pod, hardWeight), place),
});

const weightedTerms = (pod: PodInfo, hardWeight: number): readonly Weighted[] => [
  ...(hardWeight > 0 ? pod.requiredAffinityTerms.map((term) => ({ term, weight: hardWeight })) : []),
  ...preferredTerms(pod),
];

/** The preferred terms of a pod. Anti-affinity terms have negative weights. */
export const preferredTerms = (pod: PodInfo): readonly Weighted[] => [
  ...pod.preferredAffinityTerms.map((term) => ({ term, weight: term.weight })),
  ...pod.preferredAntiAffinityTerms.map((term) => ({ term, weight: -term.weight })),
];

/** Counts the pods that match each term, by the term's index. With `all`, counts only the pods that match all terms. */
export function aboutTerms(weighted: readonly Weighted[], all: boolean): Counting<Weighted> {
  const terms = weighted.map(({ term }) => term);
  const isNamed = terms.every(({ namespaceSelector }) => !isEverything(namespaceSelector));
  return {
    ...(isNamed ? { namespaces: new Set(terms.flatMap(({ namespaces }) => [...namespaces])) } : {}),
    ofPod(pod, place) {
      if (all && !matchesAll(terms, pod)) return NO_SHARES;
      return weighted.flatMap((of, i) => (all || matchesTerm(of.term, pod) ? share(`${i}`, of, place) : NO_SHARES));
    },
  };
}
