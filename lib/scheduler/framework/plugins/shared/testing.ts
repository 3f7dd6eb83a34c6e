import * as fc from 'fast-check';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aNode, aNodeInfo, aPod, type NodeOf } from '../../../testing/wrappers.ts';
import { newNodeInfo } from '../../new-node-info.ts';
import type { NodeInfo } from '../../node-info.ts';
import { podInfoOf } from '../../pod-info-of.ts';

const LABELS = ['foo', 'bar', 'baz'];

/** A change of the nodes or pods of a cluster. */
export interface Happening {
  readonly what:
    | 'pod'
    | 'unpod'
    | 'status'
    | 'relabelled'
    | 'leaving'
    | 'node'
    | 'unnode'
    | 'rezoned'
    | 'heartbeat'
    | 'turn';
  /** The index of the changed node or pod. */
  readonly at: number;
  readonly zone: string | undefined;
  readonly label: string;
  readonly tainted: boolean;
}

/** Generates a random change of nodes or pods. */
export const happening: fc.Arbitrary<Happening> = fc.record({
  what: fc.constantFrom(
    'pod',
    'pod',
    'pod',
    'unpod',
    'status',
    'relabelled',
    'leaving',
    'node',
    'unnode',
    'rezoned',
    'heartbeat',
    'turn',
  ),
  at: fc.nat(20),
  zone: fc.constantFrom('one', 'two', undefined),
  label: fc.constantFrom(...LABELS),
  tainted: fc.boolean(),
});

/** A changing cluster. A pod's label determines its spec. */
export class Cluster {
  nodes: readonly NodeInfo[];
  #serial = 0;
  readonly #specOf: (label: string) => JsonObject;

  constructor(specOf: (label: string) => JsonObject = () => ({})) {
    this.#specOf = specOf;
    this.nodes = ['one', 'two', 'two'].map((zone) => aNodeInfo(this.#node(zone, false)));
  }

  happen({ what, at, zone, label, tainted }: Happening): void {
    if (what === 'node') this.nodes = this.nodes.toSpliced(at, 0, aNodeInfo(this.#node(zone, tainted)));
    const node = this.nodes[at % Math.max(1, this.nodes.length)];
    if (node === undefined) return;
    if (what === 'unnode') this.nodes = this.nodes.filter((one) => one !== node);
    if (what === 'turn') this.nodes = [...this.nodes.slice(1), ...this.nodes.slice(0, 1)];
    if (what === 'rezoned') this.#replace(node, this.#node(zone, tainted, node.name));
    if (what === 'heartbeat') this.#replace(node, undefined);
    if (what === 'pod') node.addPod(this.#pod(label));
    const last = [...node.pods.values()].at(-1);
    if (last === undefined) return;
    if (what === 'unpod') node.removePod(last);
    if (what === 'status') node.addPod(podInfoOf({ ...last.pod, status: { phase: 'Running' } }));
    const metadata = { name: last.name, namespace: last.namespace, uid: last.uid };
    if (what === 'relabelled')
      node.addPod(podInfoOf({ ...last.pod, metadata: { ...metadata, labels: { [label]: '' } } }));
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    if (what === 'leaving')
      node.addPod(podInfoOf({ ...last.pod, metadata: { ...metadata, labels: { ...last.labels }, deletionTimestamp } }));
  }

  #replace(node: NodeInfo, of: NodeOf | undefined): void {
    const object = of === undefined ? { ...node.node, status: { ...node.node.status, phase: 'Running' } } : aNode(of);
    const other = newNodeInfo(object, node.pods.values());
    this.nodes = this.nodes.map((one) => (one === node ? other : one));
  }

  #node(zone: string | undefined, tainted: boolean, name = `n${this.#serial++}`): NodeOf {
    const taints = tainted ? [{ key: 'k', effect: 'NoSchedule' }] : [];
    return {
      name,
      labels: { host: name, 'kubernetes.io/hostname': name, ...defined({ zone }) },
      taints,
    };
  }

  #pod(label: string): ReturnType<typeof podInfoOf> {
    return podInfoOf(aPod({ name: `p${this.#serial++}`, labels: { [label]: '' }, spec: this.#specOf(label) }));
  }
}
