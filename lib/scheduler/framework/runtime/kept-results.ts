import type { Json } from '#lib/machinery/json-value.ts';
import { Recent } from '#lib/machinery/recent.ts';
import type { CycleState } from '../cycle-state.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Outcome } from '../status.ts';
import type { ExtensionPoints } from './extension-points.ts';
import { filterWithAll } from './filter.ts';

/** The number of nodes whose results are kept, counted once for each signature. Each takes about 270 bytes. */
const KEPT = 100_000;

/** The results on one state of a node. */
interface NodeResults {
  readonly generation: number;
  readonly outcome: Outcome;
  /** Scores before normalization, by the position of the plugin; absent if not computed yet. */
  readonly scores: (number | undefined)[];
}

/** The results of signed plugins for the pods of one signature, by node name. */
type Results = Map<string, NodeResults>;

/**
 * Keeps results of Filter and Score plugins that sign pods (`Plugin.sign`). Pods with equal signatures share them, and a node's results are
 * computed again only after the node has changed. An attempt then takes one look-up for each node.
 */
export class KeptResults {
  readonly #points: Pick<ExtensionPoints, 'filter' | 'score'>;
  readonly #results = new Recent<string, Results>(KEPT);

  constructor(points: Pick<ExtensionPoints, 'filter' | 'score'>) {
    this.#points = points;
  }

  /** The results for a pod after PreFilter, with this many nodes in the cluster. */
  of(state: CycleState, pod: PodInfo, nodes: number): PodResults {
    const running = this.#points.filter.filter(({ name }) => !state.skipFilter.has(name));
    const signatures = running.map((plugin) => (plugin.filterSteps === undefined ? plugin.sign?.(pod) : undefined));
    const firstUnsigned = signatures.indexOf(undefined);
    const signed = firstUnsigned === -1 ? running.length : firstUnsigned;
    const [filters, others] = [running.slice(0, signed), running.slice(signed)];
    const scores = this.#points.score.map((plugin) => plugin.sign?.(pod));
    const key = JSON.stringify([filters.map(({ name }, i): Json => [name, signatures[i] ?? null]), scores]);
    const results = this.#results.get(key, nodes, () => new Map());
    if (results.size > 2 * nodes) results.clear(); // many results are of deleted nodes
    const keepsScore = scores.map((signature) => signature !== undefined);
    return new PodResults({ results, filters, others, keepsScore }, state, pod);
  }
}

interface Parts {
  readonly results: Results;
  /** The signed filters that run before all others. */
  readonly filters: ExtensionPoints['filter'];
  /** The remaining filters. */
  readonly others: ExtensionPoints['filter'];
  /** By the position of a Score plugin, whether it signs the pod. */
  readonly keepsScore: readonly boolean[];
}

/** The kept results for the pod of one attempt. */
export class PodResults {
  readonly #parts: Parts;
  readonly #state: CycleState;
  readonly #pod: PodInfo;
  /** The filters that `filter` does not run. They run after it. */
  readonly others: ExtensionPoints['filter'];

  constructor(parts: Parts, state: CycleState, pod: PodInfo) {
    this.#parts = parts;
    this.#state = state;
    this.#pod = pod;
    this.others = parts.others;
  }

  /** The outcome of the signed filters on a node without nominated pods. */
  filter(node: NodeInfo): Outcome {
    return this.#on(node).outcome;
  }

  /** Whether the Score plugin at this position signs the pod, so that its scores are kept. */
  keepsScore(position: number): boolean {
    return this.#parts.keepsScore[position] === true;
  }

  /** The kept scores of a node before normalization, by the position of the plugin. The caller adds those that it computes. */
  scoresOn(node: NodeInfo): (number | undefined)[] {
    return this.#on(node).scores;
  }

  #on(node: NodeInfo): NodeResults {
    const { results, filters } = this.#parts;
    const { name, generation } = node;
    const known = results.get(name);
    if (known?.generation === generation) return known;
    const outcome = filterWithAll(filters, this.#state, this.#pod, node);
    const found = { generation, outcome, scores: [] };
    if (outcome?.code !== 'Error') results.set(name, found);
    return found;
  }
}
