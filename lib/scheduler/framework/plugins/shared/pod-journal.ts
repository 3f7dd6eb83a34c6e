import { equal } from '#lib/machinery/json-value.ts';
import type { Handle, Snapshot } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';

/** The part of a node that defines its topology domains. */
export type NodePlace = Pick<NodeInfo, 'name' | 'labels' | 'node'>;

/** A pod and its node. */
export interface Placed {
  readonly pod: PodInfo;
  readonly place: NodePlace;
}

/** A node, or a pod on one, was added (1) or removed (-1). An update is a removal and an addition. */
export interface Change {
  readonly sign: 1 | -1;
  readonly place: NodePlace;
  /** The pod that was added or removed; absent for the node itself. */
  readonly pod?: PodInfo;
}

interface NodePods {
  readonly generation: number;
  readonly place: NodePlace;
  readonly pods: ReadonlyMap<string, PodInfo>;
}

/** The maximum number of recorded changes. A reader that is further behind recounts everything. */
const REMEMBERED = 50_000;

const NONE: ReadonlyMap<string, PodInfo> = new Map();

/**
 * Records the added and removed nodes and pods by comparing each snapshot with the previous one. Only nodes with a new generation are
 * compared.
 * Pod counters read it instead of counting all pods in each attempt.
 */
export class PodJournal {
  /** The known nodes, in the order of the snapshot. */
  #held: NodePods[] = [];
  readonly #placed = new Map<string, Map<string, Placed>>();
  #changes: Change[] = [];
  #start = 0;

  /** The position of the oldest recorded change. */
  get start(): number {
    return this.#start;
  }

  /** The position of the next change. */
  get end(): number {
    return this.#start + this.#changes.length;
  }

  since(position: number): readonly Change[] {
    return this.#changes.slice(position - this.#start);
  }

  get nodeCount(): number {
    return this.#held.length;
  }

  get places(): readonly NodePlace[] {
    return this.#held.map(({ place }) => place);
  }

  /** The pods in these namespaces, by default in all. */
  placed(namespaces: Iterable<string> = this.#placed.keys()): readonly ReadonlyMap<string, Placed>[] {
    return [...namespaces].flatMap((namespace) => this.#placed.get(namespace) ?? []);
  }

  /** Records the differences from the last nodes to these. Compares only the nodes at `places`, if given. */
  update(nodes: readonly NodeInfo[], places?: readonly number[]): this {
    const indexes = places === undefined ? this.#changed(nodes) : [...new Set(places)];
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
    // A pod may have moved to another node, so removals come first.
    for (const change of [...gone, ...come]) this.#note(change);
    return this;
  }

  /** The indexes of new or changed nodes. */
  #changed(nodes: readonly NodeInfo[]): number[] {
    const changed: number[] = [];
    for (let i = 0; i < nodes.length; i++) if (nodes[i]?.generation !== this.#held[i]?.generation) changed.push(i);
    return changed;
  }

  #compare(before: NodePods | undefined, node: NodeInfo, gone: Change[], come: Change[]): NodePods {
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

function all(sign: 1 | -1, place: NodePlace, pods = NONE, into: Change[]): void {
  into.push({ sign, place });
  for (const pod of pods.values()) into.push({ sign, place, pod });
}

/** Whether a node is unchanged for pod counters, which read the labels and taints of nodes. */
const samePlace = (place: NodePlace, { labels, node }: NodeInfo): boolean =>
  place.node === node ||
  (equal({ ...place.labels }, { ...labels }) && equal(place.node.spec.taints ?? [], node.spec.taints ?? []));

/** Whether pod counters count both states alike: labels and deletion. A pod's terms and constraints never change. */
const countsAlike = (a: PodInfo, b: PodInfo): boolean =>
  a === b || ((a.deleted === undefined) === (b.deleted === undefined) && equal({ ...a.labels }, { ...b.labels }));

/** A journal and the state of the snapshot up to which it has recorded. */
interface Followed {
  readonly journal: PodJournal;
  readonly snapshot: Snapshot;
  readonly version: number;
}

const journals = new WeakMap<Handle, Followed>();

/** The journal of the handle's snapshots, brought up to date. All plugins of a profile share it. */
export function podJournal(handle: Handle): PodJournal {
  const known = journals.get(handle);
  const snapshot = handle.snapshot();
  const { version } = snapshot;
  if (known?.snapshot === snapshot && known.version === version) return known.journal;
  const journal = known?.journal ?? new PodJournal();
  const replaced = known?.snapshot === snapshot ? snapshot.changedSince(known.version) : undefined;
  journals.set(handle, { journal, snapshot, version });
  return journal.update(snapshot.nodes, replaced);
}
