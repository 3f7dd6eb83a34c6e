import { describe, expect, test } from 'vitest';
import type { Namespace, Pod } from '#lib/api/types/core.v1.ts';
import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import { change } from '#lib/node/nftables/transaction.ts';
import { randomFrom } from '#test/store/random.ts';
import { evaluate } from '../evaluate.ts';
import { PolicyIndex } from '../policy-index.ts';
import { aNamespace, aPod, aPolicy } from '../testing/objects.ts';
import { type Random, randomPolicies, type World } from '../testing/random-cluster.ts';
import { nodeTable } from './node-table.ts';
import { TABLE } from './table.ts';

const APPS = ['web', 'db'];
const WORLD: World = {
  namespaces: ['x', 'y', 'z'],
  apps: APPS,
  teams: ['red', 'blue'],
  blocks: [{ cidr: '10.0.0.0/16', except: ['10.0.0.2/32'] }, { cidr: 'fd00::/64' }],
  ports: [80, 81],
  names: ['http', 'metrics'],
};

/** The objects of a cluster, and an index that receives each change of them. */
class ChangingCluster {
  readonly index = new PolicyIndex();
  readonly pods = new Map<string, Pod>();
  readonly #namespaces = new Map<string, Namespace>();
  readonly #policies = new Map<string, NetworkPolicy>();
  readonly #random: Random;
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** An index of the same objects, built from scratch. */
  whole(): PolicyIndex {
    const [policies, namespaces, pods] = [this.#policies, this.#namespaces, this.pods].map((all) => [...all.values()]);
    return new PolicyIndex({ policies, namespaces, pods } as ConstructorParameters<typeof PolicyIndex>[0]);
  }

  change(): void {
    const kind = this.#random();
    if (kind < 0.5) this.#changePod();
    else if (kind < 0.7) this.#changeNamespace();
    else this.#changePolicy();
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  /** Changes a pod. Many pods share few addresses, so some claim the same one. */
  #changePod(): void {
    const [namespace, name] = [this.#pick(WORLD.namespaces), this.#pick(['a', 'b', 'c', 'd'])];
    const key = `${namespace}/${name}`;
    if (this.#random() < 0.3) {
      this.pods.delete(key);
      this.index.deletePod(namespace, name);
      return;
    }
    const number = Math.floor(this.#random() * 8);
    const pod = aPod(key, {
      labels: this.#random() < 0.2 ? {} : { app: this.#pick(APPS) },
      addresses: this.#random() < 0.2 ? [] : [`10.0.0.${number}`, `fd00::${number}`],
      ports: this.#random() < 0.3 ? {} : { http: ['TCP', this.#pick([80, 81])], metrics: ['UDP', 81] },
      node: this.#pick(['node', 'node', 'other']),
      phase: this.#pick(['Running', 'Running', 'Running', 'Failed']),
      ...(this.#random() < 0.1 && { hostNetwork: true as const }),
    });
    pod.metadata.creationTimestamp = this.#pick(['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']);
    this.pods.set(key, pod);
    this.index.putPod(pod);
  }

  #changeNamespace(): void {
    const name = this.#pick(WORLD.namespaces);
    if (this.#random() < 0.2) {
      this.#namespaces.delete(name);
      this.index.deleteNamespace(name);
      return;
    }
    const namespace = aNamespace(name, this.#random() < 0.3 ? {} : { team: this.#pick(WORLD.teams) });
    this.#namespaces.set(name, namespace);
    this.index.putNamespace(namespace);
  }

  #changePolicy(): void {
    const [made] = randomPolicies(WORLD, 1, this.#random);
    if (made === undefined) return;
    const { namespace = '' } = made.metadata;
    const name = `p${this.#made++ % 5}`;
    const key = `${namespace}/${name}`;
    if (this.#random() < 0.3) {
      this.#policies.delete(key);
      this.index.deletePolicy(namespace, name);
      return;
    }
    const policy = aPolicy(key, made.spec);
    this.#policies.set(key, policy);
    this.index.putPolicy(policy);
  }
}

describe('the table after random changes', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))('matches a table built from scratch, seed %i', (seed) => {
    const cluster = new ChangingCluster(randomFrom(seed));
    for (let i = 0; i < 60; i++) {
      cluster.change();
      const [changed, whole] = [cluster.index, cluster.whole()];
      expect(nodeTable(changed, 'node'), `change ${i}`).toEqual(nodeTable(whole, 'node'));
      for (const [from, to] of [
        ['10.0.0.1', '10.0.0.2'],
        ['fd00::3', 'fd00::4'],
      ] as const) {
        const connection = { from, to, port: 80, protocol: 'TCP' } as const;
        expect(evaluate(changed, connection)).toEqual(evaluate(whole, connection));
      }
    }
  });
});

describe('a cluster of 5,000 pods and 1,000 policies with 110 pods on the node', () => {
  const app = (i: number): string => `app-${i % 100}`;
  const namespaceOf = (i: number): string => `ns-${i % 50}`;
  const pod = (i: number, label = app(i)): Pod =>
    aPod(`${namespaceOf(i)}/pod-${i}`, {
      labels: { app: label },
      addresses: [`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, `fd00::${i.toString(16)}`],
      ports: { http: ['TCP', 8080] },
      node: i < 110 ? 'node' : `node-${i % 50}`,
    });
  const policy = (i: number): NetworkPolicy =>
    aPolicy(`${namespaceOf(i)}/policy-${i}`, {
      podSelector: { matchLabels: { app: app(i) } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { from: [{ podSelector: { matchLabels: { app: app(i + 1) } } }], ports: [{ port: 'http' }] },
        { from: [{ namespaceSelector: { matchLabels: { team: `team-${i % 5}` } } }] },
      ],
      egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: [`10.0.${i % 256}.0/24`] } }] }],
    });
  const range = (length: number): number[] => Array.from({ length }, (_, i) => i);
  const index = new PolicyIndex({
    policies: range(1000).map(policy),
    namespaces: range(50).map((i) => aNamespace(`ns-${i}`, { team: `team-${i % 5}` })),
    pods: range(5000).map((i) => pod(i)),
  });
  let table = nodeTable(index, 'node');

  test.each([
    ['a pod of another node', () => index.putPod(pod(4711, 'app-12'))],
    ['a pod of the node', () => index.putPod(pod(7, 'app-8'))],
    ['a policy', () => index.putPolicy(policy(1007))],
    ['a namespace', () => index.putNamespace(aNamespace('ns-3', { team: 'team-4' }))],
  ])('a change of %s reuses the unaffected parts of the table', (_, make) => {
    make();
    const after = nodeTable(index, 'node');
    const commands = change(TABLE, table, after)?.commands ?? '';
    const same = [...after.sets].filter(([name, set]) => table.sets.get(name) === set).length;
    expect(commands.length).toBeGreaterThan(0);
    expect(after.sets.size - same).toBeLessThan(after.sets.size / 4);
    table = after;
  });
});
