import { matches } from '#lib/machinery/labels/selector.ts';
import type { StateData, StateKey } from '../../cycle-state.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome } from '../../status.ts';
import type { DomainTally } from '../shared/domain-tally.ts';
import { type Constraint, hasAllKeys } from './constraints.ts';
import { inclusion } from './counting.ts';
import { MatchCounts } from './match-counts.ts';

const NOT_MATCHED = "node(s) didn't match pod topology spread constraints";
const LABEL_MISSING = `${NOT_MATCHED} (missing required label)`;

/** A constraint and the counts of the pods that it selects. */
interface Counted {
  readonly constraint: Constraint;
  readonly counts: MatchCounts;
  /** 1 if the constraint selects the pod itself, otherwise 0. */
  readonly self: number;
}

/** The key of PreFilter's state. */
export const FILTER_STATE: StateKey<FilterState> = { name: 'PreFilterPodTopologySpread' };

/** The spread of pods over the domains of each constraint. Valid for one attempt only, because the next attempt changes the counts. */
export class FilterState implements StateData {
  readonly #counted: readonly Counted[];

  constructor(counted: readonly Counted[]) {
    this.#counted = counted;
  }

  /** `domains` holds the existing domains, `counts` the number of pods in them. */
  static of(
    pod: PodInfo,
    constraints: readonly Constraint[],
    { domains, counts }: { readonly domains: DomainTally<undefined>; readonly counts: DomainTally<undefined> },
  ): FilterState {
    return new FilterState(
      constraints.map((constraint, i) => ({
        constraint,
        counts: new MatchCounts(domains.domains(String(i)), counts.domains(String(i))),
        self: matches(constraint.selector, pod.labels) ? 1 : 0,
      })),
    );
  }

  clone(): FilterState {
    return new FilterState(this.#counted.map((one) => ({ ...one, counts: one.counts.clone() })));
  }

  /** Updates the counts as if a pod were added to (`delta` 1) or removed from (`delta` -1) a node. */
  update(pod: PodInfo, changed: PodInfo, node: NodeInfo, delta: 1 | -1): void {
    const constraints = this.#counted.map(({ constraint }) => constraint);
    if (changed.namespace !== pod.namespace || !hasAllKeys(node.labels, constraints)) return;
    const isIncluded = inclusion(pod);
    for (const { constraint, counts } of this.#counted) {
      if (!matches(constraint.selector, changed.labels) || !isIncluded(constraint, node)) continue;
      counts.add(node.labels[constraint.topologyKey] ?? '', delta);
    }
  }

  /** Rejects the node if its new count would exceed the lowest count of any domain by more than the constraint's skew. */
  check({ labels }: NodeInfo): Outcome {
    for (const { constraint, counts, self } of this.#counted) {
      const domain = labels[constraint.topologyKey];
      if (domain === undefined) return newStatus('UnschedulableAndUnresolvable', LABEL_MISSING);
      const min = counts.size < constraint.minDomains ? 0 : counts.min();
      if (counts.of(domain) + self - min > constraint.maxSkew) return newStatus('Unschedulable', NOT_MATCHED);
    }
    return undefined;
  }
}
