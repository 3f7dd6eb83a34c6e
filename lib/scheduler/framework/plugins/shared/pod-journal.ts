import { taintsOf } from '#lib/component-helpers/scheduling/corev1/taints.ts';
import { equal } from '#lib/machinery/json-value.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';

/** A node, as far as it says where its pods are. */
export type Place = Pick<NodeInfo, 'name' | 'labels' | 'node'>;

/** A pod that is somewhere. */
export interface Placed {
  readonly pod: PodInfo;
  readonly place: Place;
}

/** A node, or a pod on one, came (1) or went (-1). One that changed went and came. */
export interface Change {
  readonly sign: 1 | -1;
  readonly place: Place;
  /** Absent: the node itself. */
  readonly pod?: PodInfo;
}

interface Held {
  readonly generation: number;
  readonly place: Place;
  readonly pods: ReadonlyMap<string, PodInfo>;
}

/** Changes that are remembered. Who is further behind counts anew. */
const REMEMBERED = 50_000;

const NONE: ReadonlyMap<string, PodInfo> = new Map();

/**
 * Who came and went, found by comparing each snapshot with the one before: only nodes whose generation is new are looked at. What counts
 * pods follows it, instead of counting all of them for each attempt.
 */
export class PodJournal {
  /** In the order of the nodes. */
  #held: Held[] = [];
  readonly #placed = new Map<string, Map<string, Placed>>();
  #changes: Change[] = [];
  #start = 0;

  /** The first change that is still remembered. */
  get start(): number {
    return this.#start;
  }

  /** Where the next change will be. */
  get end(): number {
    return this.#start + this.#changes.length;
  }

  since(position: number): readonly Change[] {
    return this.#changes.slice(position - this.#start);
  }

  get places(): readonly Place[] {
    return this.#held.map(({ place }) => place);
  }

  /** Pods in these namespaces; without any named in all. */
  placed(namespaces: Iterable<string> = this.#placed.keys()): readonly ReadonlyMap<string, Placed>[] {
    return [...namespaces].flatMap((namespace) => this.#placed.get(namespace) ?? []);
  }

  /** Notes what is different in these nodes. */
  update(nodes: readonly NodeInfo[]): this {
    const indexes = this.#changed(nodes);
    if (indexes.length === 0 && nodes.length === this.#held.length) return this;
    const known = [...indexes.flatMap((i) => this.#held[i] ?? []), ...this.#held.slice(nodes.length)];
    const left = new Map(known.map((one) => [one.place.name, one]));
    this.#held.length = nodes.length;
    const [gone, come]: [Change[], Change[]] = [[], []];
    for (const i of indexes) {
      const node = nodes[i] as NodeInfo;
      const before = left.get(node.name);
      left.delete(node.name);
      this.#held[i] = before?.generation === node.generation ? before : this.#compare(before, node, gone, come);
    }
    for (const { place, pods } of left.values()) all(-1, place, pods, gone);
    // A pod may have left one node for another: it goes first.
    for (const change of [...gone, ...come]) this.#note(change);
    return this;
  }

  /** Places where another node is now, or another state of it. */
  #changed(nodes: readonly NodeInfo[]): number[] {
    const changed: number[] = [];
    for (let i = 0; i < nodes.length; i++) if (nodes[i]?.generation !== this.#held[i]?.generation) changed.push(i);
    return changed;
  }

  #compare(before: Held | undefined, node: NodeInfo, gone: Change[], come: Change[]): Held {
    const isSame = before !== undefined && samePlace(before.place, node);
    const place = isSame ? before.place : { name: node.name, labels: node.labels, node: node.node };
    const pods = new Map(node.pods);
    if (!isSame) {
      if (before !== undefined) all(-1, before.place, before.pods, gone);
      all(1, place, pods, come);
      return { generation: node.generation, place, pods };
    }
    for (const [uid, pod] of before.pods) {
      const now = pods.get(uid);
      if (now === undefined || !countsAlike(pod, now)) gone.push({ sign: -1, place, pod });
      else if (now !== pod) this.#keep({ pod: now, place });
    }
    for (const [uid, pod] of pods) {
      const was = before.pods.get(uid);
      if (was === undefined || !countsAlike(was, pod)) come.push({ sign: 1, place, pod });
    }
    return { generation: node.generation, place, pods };
  }

  #note(change: Change): void {
    const { sign, pod, place } = change;
    if (pod !== undefined && sign === 1) this.#keep({ pod, place });
    else if (pod !== undefined) this.#drop(pod);
    this.#changes.push(change);
    if (this.#changes.length <= REMEMBERED) return;
    const forgotten = REMEMBERED / 2;
    this.#changes = this.#changes.slice(forgotten);
    this.#start += forgotten;
  }

  #drop({ namespace, uid }: PodInfo): void {
    const pods = this.#placed.get(namespace);
    pods?.delete(uid);
    if (pods?.size === 0) this.#placed.delete(namespace);
  }

  #keep(placed: Placed): void {
    const { namespace, uid } = placed.pod;
    const pods = this.#placed.get(namespace) ?? new Map<string, Placed>();
    this.#placed.set(namespace, pods.set(uid, placed));
  }
}

function all(sign: 1 | -1, place: Place, pods = NONE, into: Change[]): void {
  into.push({ sign, place });
  for (const pod of pods.values()) into.push({ sign, place, pod });
}

/** Whether it is the same to what counts pods by labels of nodes, or by taints. */
const samePlace = (place: Place, { labels, node }: NodeInfo): boolean =>
  place.node === node ||
  (equal({ ...place.labels }, { ...labels }) && equal([...taintsOf(place.node)], [...taintsOf(node)]));

/** Whether who counts pods by what they are, or by what they want, counts the same. What they want never changes. */
const countsAlike = (a: PodInfo, b: PodInfo): boolean =>
  a === b || ((a.deleted === undefined) === (b.deleted === undefined) && equal({ ...a.labels }, { ...b.labels }));

const journals = new WeakMap<Handle, PodJournal>();

/** The journal of what the handle's snapshots tell, which the plugins of a profile share; brought up to the last of them. */
export function podJournal(handle: Handle): PodJournal {
  const journal = journals.get(handle) ?? new PodJournal();
  journals.set(handle, journal);
  return journal.update(handle.snapshot().nodes);
}
