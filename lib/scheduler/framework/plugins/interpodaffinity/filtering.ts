import type { StateData, StateKey } from '../../cycle-state.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { AffinityTerm, PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome } from '../../status.ts';
import type { TermCounts } from './term-counts.ts';
import { matchesAll, matchesTerm } from './terms.ts';

/** The state of an attempt: the pod's own terms with resolved namespaces, and counts of matching pods by topology domain. */
export interface AffinityState {
  readonly pod: PodInfo;
  readonly namespaceLabels: Readonly<Record<string, string>>;
  readonly affinityTerms: readonly AffinityTerm[];
  readonly antiAffinityTerms: readonly AffinityTerm[];
  /** Pods that match all of the affinity terms. */
  readonly affinity: TermCounts;
  /** Pods that match an anti-affinity term. */
  readonly antiAffinity: TermCounts;
  /** Pods with an anti-affinity term that matches this pod. */
  readonly existing: TermCounts;
}

/** The key of PreFilter's state. */
export const FILTER_STATE: StateKey<FilterState> = { name: 'PreFilterInterPodAffinity' };

/** Valid for one attempt only, because the next attempt changes the counts that it reads. */
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

  /** Updates the counts as if another pod were added to (`delta` 1) or removed from (`delta` -1) a node. */
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

  /** The first pod of a group with affinity to itself may go to any node. */
  #isFirst(): boolean {
    const { affinityTerms, affinity, pod } = this.#found;
    return matchesAll(affinityTerms, pod) && affinity.isEmpty();
  }
}
