import type { Pod } from '#lib/api/types/core.v1.ts';
import type { CycleState } from '../../cycle-state.ts';
import { type ClusterEventWithHint, clusterEvent } from '../../events.ts';
import type { Handle, NodeScore, Plugin, PluginFactory, PreFiltered } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { AffinityTerm, PodInfo } from '../../pod-info.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import { newStatus, type Outcome, SKIP, type Status } from '../../status.ts';
import { DomainTally } from '../shared/domain-tally.ts';
import { KeptTallies } from '../shared/kept-tallies.ts';
import { missingState } from '../shared/missing-state.ts';
import { podJournal } from '../shared/pod-journal.ts';
import type { InterPodAffinityArgs } from './args.ts';
import { aboutTerms, preferences, preferredTerms, REQUIRED_ANTI_AFFINITY, type Weighted } from './counting.ts';
import { FILTER_STATE, FilterState } from './filtering.ts';
import { nodeChangeHelps, podChangeHelps, type Terms } from './hints.ts';
import { normalize, SCORE_STATE, type Scored, ScoreState } from './scoring.ts';
import { TermCounts } from './term-counts.ts';
import { matchesTerm, namespaceLabels, termText, withNamespaces } from './terms.ts';

const NAME = 'InterPodAffinity';

/** Schedules pods near other pods or away from them: upstream's InterPodAffinity. */
export const interPodAffinity: PluginFactory<InterPodAffinityArgs> = (args, handle) =>
  new InterPodAffinity(args, handle);

class InterPodAffinity implements Plugin {
  readonly name = NAME;
  readonly #handle: Handle;
  readonly #args: InterPodAffinityArgs;
  /** Counts by required anti-affinity terms and by preferred terms. An attempt takes one step for each term rather than each pod. */
  readonly #against = new DomainTally(REQUIRED_ANTI_AFFINITY);
  readonly #preferring: DomainTally<Weighted>;
  /** Counts of the pods that terms select. */
  readonly #tallies: KeptTallies<Weighted>;

  constructor(args: InterPodAffinityArgs, handle: Handle) {
    this.#handle = handle;
    this.#args = args;
    this.#preferring = new DomainTally(preferences(args.hardPodAffinityWeight));
    this.#tallies = new KeptTallies(handle);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const termsOf = (pod: Pod): Terms => {
      const { requiredAffinityTerms, requiredAntiAffinityTerms } = podInfoOf(pod);
      return { affinity: this.#named(requiredAffinityTerms), antiAffinity: this.#named(requiredAntiAffinityTerms) };
    };
    return [
      clusterEvent('Pod', ['Add', 'UpdatePodLabel', 'Delete'], (pod, change) => podChangeHelps(pod, change, termsOf)),
      clusterEvent('Node', ['Add', 'UpdateNodeLabel'], (pod, change) => nodeChangeHelps(change, termsOf(pod))),
    ];
  }

  preFilter(state: CycleState, pod: PodInfo): PreFiltered {
    const { affinityFault } = pod;
    if (affinityFault !== undefined) {
      return { status: newStatus('UnschedulableAndUnresolvable', `parsing pod: ${affinityFault}`) };
    }
    const labels = namespaceLabels(pod.namespace, this.#handle.lister);
    const against = this.#against.update(podJournal(this.#handle));
    const existing = [...against.groups()].filter(({ of }) => matchesTerm(of.term, pod, labels));
    const affinityTerms = this.#named(pod.requiredAffinityTerms);
    const antiAffinityTerms = this.#named(pod.requiredAntiAffinityTerms);
    if (existing.length + affinityTerms.length + antiAffinityTerms.length === 0) return { status: SKIP };
    const found = {
      pod,
      namespaceLabels: labels,
      affinityTerms,
      antiAffinityTerms,
      affinity: countsOf(this.#about(affinityTerms.map(unweighted), true)),
      antiAffinity: countsOf(this.#about(antiAffinityTerms.map(unweighted), false)),
      existing: countsOf(existing),
    };
    state.write(FILTER_STATE, new FilterState(found));
    return {};
  }

  readonly preFilterExtensions = {
    addPod: (state: CycleState, _pod: PodInfo, added: PodInfo, node: NodeInfo): Outcome =>
      this.#filterState(state, (held) => held.update(added, node, 1)),
    removePod: (state: CycleState, _pod: PodInfo, removed: PodInfo, node: NodeInfo): Outcome =>
      this.#filterState(state, (held) => held.update(removed, node, -1)),
  };

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Outcome {
    return this.#filterState(state, (held) => held.check(node));
  }

  preScore(state: CycleState, pod: PodInfo): Outcome {
    const { affinityFault } = pod;
    if (affinityFault !== undefined) return newStatus('Error', `failed to parse pod: ${affinityFault}`);
    const terms = preferredTerms(pod).map(({ term, weight }) => ({ term: this.#withNamespaces(term), weight }));
    if (terms.length === 0 && this.#args.ignorePreferredTermsOfExistingPods) return SKIP;
    const labels = namespaceLabels(pod.namespace, this.#handle.lister);
    const preferring = this.#preferring.update(podJournal(this.#handle));
    const others = [...preferring.groups()].filter(({ of }) => matchesTerm(of.term, pod, labels));
    const scored = [...others, ...this.#about(terms, false)];
    if (scored.length === 0) return SKIP;
    state.write(SCORE_STATE, new ScoreState(scored));
    return undefined;
  }

  score(state: CycleState, _pod: PodInfo, node: NodeInfo): number | Status {
    return state.read(SCORE_STATE)?.score(node) ?? missingState(SCORE_STATE);
  }

  normalizeScore(_state: CycleState, _pod: PodInfo, scores: NodeScore[]): Outcome {
    normalize(scores);
    return undefined;
  }

  /** The domains of the pods that any of these terms selects; with `all`, of the pods that all of them select. */
  #about(terms: readonly Weighted[], all: boolean): readonly Scored[] {
    if (terms.length === 0) return [];
    const key = [all, ...terms.map(({ term, weight }) => `${weight} ${termText(term)}`)].join('\n');
    return [...this.#tallies.get(key, () => aboutTerms(terms, all)).groups()];
  }

  #withNamespaces(term: AffinityTerm): AffinityTerm {
    return withNamespaces(term, this.#handle.lister);
  }

  #named(terms: readonly AffinityTerm[]): readonly AffinityTerm[] {
    return terms.map((term) => this.#withNamespaces(term));
  }

  #filterState(state: CycleState, use: (held: FilterState) => Outcome | void): Outcome {
    const held = state.read(FILTER_STATE);
    return held === undefined ? missingState(FILTER_STATE) : (use(held) ?? undefined);
  }
}

const unweighted = (term: AffinityTerm): Weighted => ({ term, weight: 1 });

const countsOf = (scored: Iterable<Scored>): TermCounts =>
  new TermCounts([...scored].map(({ of, domains }) => ({ topologyKey: of.term.topologyKey, domains })));
