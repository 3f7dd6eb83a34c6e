import type { StateData, StateKey } from '../../cycle-state.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { AffinityTerm, PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome } from '../../status.ts';
import type { TermCounts } from './term-counts.ts';
import { matchesAll, matchesTerm } from './terms.ts';

/**
 * The data of an attempt: the pod's own terms, with namespaces resolved, and counts of matching pods by topology
 * domain.
 */
export interface AffinityState {
  readonly pod: PodInfo;
  readonly namespaceLabels: Readonly<Record<string, string>>;
  readonly affinityTerms: readonly AffinityTerm[];
  readonly antiAffinityTerms: readonly AffinityTerm[];
  /** Pods that all of the affinity terms are about. */
  readonly affinity: TermCounts;
  /** Pods that an anti-affinity term is about. */
  readonly antiAffinity: TermCounts;
  /** Pods that have an anti-affinity term which is about this pod. */
  readonly existing: TermCounts;
}

/** The key of the data of PreFilter. */
export const FILTER_STATE: StateKey<FilterState> = { name: 'PreFilterInterPodAffinity' };

/** Good for one attempt: it reads counts that the next one changes. */
export class FilterState implements StateData {
  readonly #found: AffinityState;

  constructor(found: AffinityState) {
    this.#found = found;
  }

  clone(): FilterState {
    const { affinity, antiAffinity, existing } = this.#found;
    return new FilterState({
      ...this.#found,
      affinity: affinity.clone(),
      antiAffinity: antiAffinity.clone(),
      existing: existing.clone(),
    });
  }

  /** As if another pod were added to a node, or taken off it: `delta` is 1 or -1. */
  update(other: PodInfo, { labels }: NodeInfo, delta: 1 | -1): void {
    const { pod, namespaceLabels, affinityTerms, antiAffinityTerms, affinity, antiAffinity, existing } = this.#found;
    for (const term of other.requiredAntiAffinityTerms) {
      if (matchesTerm(term, pod, namespaceLabels)) existing.add(term.topologyKey, labels, delta);
    }
    if (matchesAll(affinityTerms, other)) {
      for (const { topologyKey } of affinityTerms) affinity.add(topologyKey, labels, delta);
    }
    for (const term of antiAffinityTerms) {
      if (matchesTerm(term, other)) antiAffinity.add(term.topologyKey, labels, delta);
    }
  }

  check({ labels }: NodeInfo): Outcome {
    const { antiAffinityTerms, antiAffinity, existing } = this.#found;
    if (!this.#isNearAll(labels)) {
      return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match pod affinity rules");
    }
    if (antiAffinityTerms.length > 0 && antiAffinity.reaches(labels)) {
      return newStatus('Unschedulable', "node(s) didn't match pod anti-affinity rules");
    }
    if (existing.reaches(labels)) {
      return newStatus('Unschedulable', "node(s) didn't satisfy existing pods anti-affinity rules");
    }
    return undefined;
  }

  #isNearAll(labels: NodeInfo['labels']): boolean {
    const { affinityTerms, affinity } = this.#found;
    if (!affinityTerms.every(({ topologyKey }) => topologyKey in labels)) return false;
    if (affinityTerms.every(({ topologyKey }) => affinity.of(topologyKey, labels[topologyKey] ?? '') > 0)) return true;
    return this.#isFirst();
  }

  /** Pods that want to be near their like: the first of them may be anywhere. */
  #isFirst(): boolean {
    const { affinityTerms, affinity, pod } = this.#found;
    return matchesAll(affinityTerms, pod) && affinity.isEmpty();
  }
}
