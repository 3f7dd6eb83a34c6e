import type { NodeInfo } from '../../node-info.ts';
import type { AffinityTerm, PodInfo } from '../../pod-info.ts';
import type { Share } from '../shared/domain-tally.ts';
import { matchesAll, matchesTerm, termText } from './terms.ts';

/** A term, and what a pod that it is about counts for. */
export interface Weighted {
  readonly term: AffinityTerm;
  /** Below 0: pods keep off each other. */
  readonly weight: number;
}

type Shares = readonly Share<Weighted>[];

function share(key: string, of: Weighted, { labels }: NodeInfo): Shares {
  const domain = labels[of.term.topologyKey];
  return domain === undefined ? [] : [{ key, of, domain, count: 1 }];
}

const each = (pods: Iterable<PodInfo>, sharesOf: (pod: PodInfo) => Shares): Shares => [...pods].flatMap(sharesOf);

const byText = (weight: number) => (term: AffinityTerm) => ({
  key: `${weight} ${termText(term)}`,
  of: { term, weight },
});

/** Pods by the terms of theirs that keep others off: same terms of different pods are counted together. */
export const requiredAntiAffinity = (node: NodeInfo): Shares =>
  each(node.podsWithRequiredAntiAffinity, (pod) =>
    pod.requiredAntiAffinityTerms.map(byText(1)).flatMap(({ key, of }) => share(key, of, node)),
  );

/** Pods by the terms of theirs that matter where others are placed. Required affinity weighs `hardWeight`. */
export const preferences =
  (hardWeight: number) =>
  (node: NodeInfo): Shares =>
    each(node.podsWithAffinity, (pod) =>
      weightedTerms(pod, hardWeight).flatMap(({ term, weight }) => {
        const { key, of } = byText(weight)(term);
        return share(key, of, node);
      }),
    );

const weightedTerms = (pod: PodInfo, hardWeight: number): readonly Weighted[] => [
  ...(hardWeight > 0 ? pod.requiredAffinityTerms.map((term) => ({ term, weight: hardWeight })) : []),
  ...preferredTerms(pod),
];

export const preferredTerms = (pod: PodInfo): readonly Weighted[] => [
  ...pod.preferredAffinityTerms.map((term) => ({ term, weight: term.weight })),
  ...pod.preferredAntiAffinityTerms.map((term) => ({ term, weight: -term.weight })),
];

/** Pods that these terms are about, by the term's place; with `all` those alone that all are about. */
export const aboutTerms =
  (terms: readonly Weighted[], all: boolean) =>
  (node: NodeInfo): Shares =>
    each(node.pods.values(), (pod) => {
      if (all)
        return matchesAll(
          terms.map(({ term }) => term),
          pod,
        )
          ? terms.flatMap((of, i) => share(`${i}`, of, node))
          : [];
      return terms.flatMap((of, i) => (matchesTerm(of.term, pod) ? share(`${i}`, of, node) : []));
    });
