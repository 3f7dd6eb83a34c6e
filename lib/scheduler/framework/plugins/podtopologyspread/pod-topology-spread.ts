import type { Pod } from '#lib/api/types/core.v1.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { CycleState } from '../../cycle-state.ts';
import { type ClusterEventWithHint, clusterEvent } from '../../events.ts';
import type { Handle, NodeScore, Plugin, PluginFactory, PreFiltered } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import { newStatus, type Outcome, SKIP, type Status } from '../../status.ts';
import { KeptTallies } from '../shared/kept-tallies.ts';
import { missingState } from '../shared/missing-state.ts';
import type { PodTopologySpreadArgs } from './args.ts';
import { type Constraint, Constraints } from './constraints.ts';
import { domainCounting, domainSignature, filterCounting, scoreCounting, signature } from './counting.ts';
import { FILTER_STATE, FilterState } from './filtering.ts';
import { nodeChangeHelps, podChangeHelps } from './hints.ts';
import { SCORE_STATE, ScoreState } from './scoring.ts';

const NAME = 'PodTopologySpread';

/** Spreads pods over domains by their topology spread constraints (KEP-895): upstream's PodTopologySpread. */
export const podTopologySpread: PluginFactory<PodTopologySpreadArgs> = (args, handle) =>
  new PodTopologySpread(args, handle);

class PodTopologySpread implements Plugin {
  readonly name = NAME;
  readonly #handle: Handle;
  readonly #constraints: Constraints;
  readonly #domains: KeptTallies<undefined>;
  readonly #counts: KeptTallies<undefined>;

  constructor(args: PodTopologySpreadArgs, handle: Handle) {
    this.#handle = handle;
    this.#constraints = new Constraints(args, handle.lister);
    this.#domains = new KeptTallies(handle);
    this.#counts = new KeptTallies(handle);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const hard = (pod: Pod): readonly Constraint[] => this.#constraints.of(podInfoOf(pod), 'DoNotSchedule');
    return [
      clusterEvent('Pod', ['Add', 'UpdatePodLabel', 'UpdatePodToleration', 'Delete'], (pod, change) =>
        podChangeHelps(pod, change, hard(pod)),
      ),
      clusterEvent('Node', ['Add', 'Delete', 'UpdateNodeLabel', 'UpdateNodeTaint'], (pod, change) =>
        nodeChangeHelps(change, hard(pod)),
      ),
    ];
  }

  preFilter(state: CycleState, pod: PodInfo): PreFiltered {
    const constraints = this.#parsed(() => this.#constraints.of(pod, 'DoNotSchedule'), 'hard');
    if ('code' in constraints) return { status: constraints };
    if (constraints.length === 0) return { status: SKIP };
    const domains = this.#domains.get(domainSignature(pod, constraints), () => domainCounting(pod, constraints));
    const key = `filter ${signature(pod, constraints)}`;
    const counts = this.#counts.get(key, () => filterCounting(pod, constraints));
    state.write(FILTER_STATE, FilterState.of(pod, constraints, { domains, counts }));
    return {};
  }

  readonly preFilterExtensions = {
    addPod: (state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): Outcome =>
      this.#filterState(state, (held) => held.update(pod, added, node, 1)),
    removePod: (state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): Outcome =>
      this.#filterState(state, (held) => held.update(pod, removed, node, -1)),
  };

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Outcome {
    return this.#filterState(state, (held) => held.check(node));
  }

  preScore(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Outcome {
    if (this.#handle.snapshot().nodes.length === 0) return SKIP;
    const constraints = this.#parsed(() => this.#constraints.of(pod, 'ScheduleAnyway'), 'soft');
    if ('code' in constraints) return constraints;
    if (constraints.length === 0) return SKIP;
    const needsAllKeys = this.#constraints.needsAllKeys(pod);
    const key = `score ${needsAllKeys} ${signature(pod, constraints)}`;
    const tally = this.#counts.get(key, () => scoreCounting(pod, constraints, needsAllKeys));
    state.write(SCORE_STATE, new ScoreState(constraints, nodes, { tally, needsAllKeys }));
    return undefined;
  }

  score(state: CycleState, _pod: PodInfo, node: NodeInfo): number | Status {
    return state.read(SCORE_STATE)?.score(node) ?? missingState(SCORE_STATE);
  }

  normalizeScore(state: CycleState, _pod: PodInfo, scores: NodeScore[]): Outcome {
    const held = state.read(SCORE_STATE);
    if (held === undefined) return missingState(SCORE_STATE);
    held.normalize(scores);
    return undefined;
  }

  #filterState(state: CycleState, use: (held: FilterState) => Outcome | void): Outcome {
    const held = state.read(FILTER_STATE);
    return held === undefined ? missingState(FILTER_STATE) : (use(held) ?? undefined);
  }

  #parsed(parse: () => readonly Constraint[], kind: 'hard' | 'soft'): readonly Constraint[] | Status {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return newStatus('Error', `obtaining pod's ${kind} topology spread constraints: ${error.message}`);
    }
  }
}
