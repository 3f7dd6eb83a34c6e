import type { PodInfo } from '../../pod-info.ts';
import type { Change, NodePlace, PodJournal } from './pod-journal.ts';

/** The contribution of a node or a pod to a count by topology domain. */
export interface Share<Of> {
  /** The key of the count. Shares with the same key add up. */
  readonly key: string;
  readonly of: Of;
  readonly domain: string;
}

/** The number of shares in each domain, by domain name. Empty domains are absent. */
export type Domains = ReadonlyMap<string, number>;

/** A counted item with its domains. */
export interface Group<Of> {
  readonly of: Of;
  readonly domains: Domains;
}

/** Defines how nodes and pods count. The results must depend only on the parameters. */
export interface Counting<Of> {
  /** If absent, nodes do not count. */
  ofNode?(place: NodePlace): readonly Share<Of>[];
  /** If absent, pods do not count. */
  ofPod?(pod: PodInfo, place: NodePlace): readonly Share<Of>[];
  /** Only pods in these namespaces count. If absent, pods in all namespaces do. */
  readonly namespaces?: ReadonlySet<string>;
}

const NO_DOMAINS: Domains = new Map();

/** Counts by topology domain, updated from a journal. The next `update` changes the returned counts in place. */
export class DomainTally<Of> {
  readonly #counting: Counting<Of>;
  readonly #groups = new Map<string, { readonly of: Of; readonly domains: Map<string, number> }>();
  /** The position of the first change that is not counted yet. */
  #position = -1;

  constructor(counting: Counting<Of>) {
    this.#counting = counting;
  }

  /** Applies the changes since the last update, or recounts everything if that is less work. */
  update(journal: PodJournal): this {
    const isBehind = this.#position < journal.start || journal.end - this.#position > this.#size(journal);
    if (isBehind) this.#countAll(journal);
    else for (const change of journal.since(this.#position)) this.#take(change);
    this.#position = journal.end;
    return this;
  }

  /** The counts with their domains. */
  groups(): Iterable<Group<Of>> {
    return this.#groups.values();
  }

  domains(key: string): Domains {
    return this.#groups.get(key)?.domains ?? NO_DOMAINS;
  }

  #size(journal: PodJournal): number {
    const { ofNode, ofPod, namespaces } = this.#counting;
    const nodes = ofNode === undefined ? 0 : journal.nodeCount;
    const pods = ofPod === undefined ? [] : journal.placed(namespaces);
    return pods.reduce((sum, { size }) => sum + size, nodes);
  }

  #countAll(journal: PodJournal): void {
    const { ofNode, ofPod, namespaces } = this.#counting;
    this.#groups.clear();
    if (ofNode !== undefined) for (const place of journal.places) this.#take({ sign: 1, place });
    if (ofPod === undefined) return;
    for (const pods of journal.placed(namespaces)) {
      for (const { pod, place } of pods.values()) this.#take({ sign: 1, place, pod });
    }
  }

  #take({ sign, place, pod }: Change): void {
    const { ofNode, ofPod, namespaces } = this.#counting;
    if (pod !== undefined && namespaces?.has(pod.namespace) === false) return;
    const shares = pod === undefined ? ofNode?.(place) : ofPod?.(pod, place);
    for (const share of shares ?? []) this.#count(share, sign);
  }

  #count({ key, of, domain }: Share<Of>, sign: 1 | -1): void {
    const group = this.#groups.get(key) ?? { of, domains: new Map<string, number>() };
    const count = (group.domains.get(domain) ?? 0) + sign;
    if (count === 0) group.domains.delete(domain);
    else group.domains.set(domain, count);
    if (group.domains.size > 0) this.#groups.set(key, group);
    else this.#groups.delete(key);
  }
}
