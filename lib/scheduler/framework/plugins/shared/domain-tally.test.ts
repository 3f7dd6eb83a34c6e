import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { aNode, aNodeInfo, aPod, aPodInfo, type NodeOf } from '../../../testing/wrappers.ts';
import { newNodeInfo } from '../../new-node-info.ts';
import type { NodeInfo } from '../../node-info.ts';
import { DomainTally, type Share } from './domain-tally.ts';

const KEYS = ['app', 'tier'];

/** Pods with a label, by zone: two counts of which a node may share in none. */
const sharesOf = ({ labels, pods }: NodeInfo): Share<string>[] =>
  KEYS.flatMap((key) => {
    const count = [...pods.values()].filter((pod) => key in pod.labels).length;
    const domain = labels['zone'];
    return domain === undefined ? [] : [{ key, of: key, domain, count }];
  });

function counted(nodes: readonly NodeInfo[]): unknown {
  const counts: Record<string, Record<string, { count: number; shares: number }>> = {};
  for (const { key, domain, count } of nodes.flatMap(sharesOf)) {
    const domains = (counts[key] ??= {});
    const known = domains[domain] ?? { count: 0, shares: 0 };
    domains[domain] = { count: known.count + count, shares: known.shares + 1 };
  }
  return counts;
}

const held = (tally: DomainTally<string>): unknown =>
  Object.fromEntries([...tally.groups()].map(({ of, domains }) => [of, Object.fromEntries(domains)]));

type World = NodeInfo[];
const change = fc.record({
  what: fc.constantFrom('pod', 'unpod', 'node', 'relabel', 'unnode', 'turn'),
  at: fc.nat(20),
  zone: fc.constantFrom('one', 'two', undefined),
  label: fc.constantFrom(...KEYS, 'none'),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

let serial = 0;
const zoned = (zone: string | undefined): NodeOf => (zone === undefined ? {} : { labels: { zone } });
const fresh = (zone: string | undefined): NodeInfo => aNodeInfo({ name: `n${serial++}`, ...zoned(zone) });

function apply(world: World, { what, at, zone, label }: Change): World {
  const node = world[at % Math.max(1, world.length)];
  if (what === 'node') return world.toSpliced(at, 0, fresh(zone));
  if (node === undefined) return world;
  if (what === 'unnode') return world.filter((one) => one !== node);
  if (what === 'turn') return [...world.slice(1), ...world.slice(0, 1)];
  if (what === 'relabel') {
    const other = newNodeInfo(aNode({ name: node.name, ...zoned(zone) }), node.pods.values());
    return world.map((one) => (one === node ? other : one));
  }
  const last = [...node.pods.values()].at(-1);
  if (what === 'pod') node.addPod(aPodInfo({ name: `p${serial++}`, labels: { [label]: '' } }));
  else if (last !== undefined) node.removePod(last);
  return world;
}

test('kept counts are those of a full count, whatever changed in between', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 8 }), (steps) => {
      let world: World = [fresh('one'), fresh('two'), fresh('two')];
      const tally = new DomainTally(sharesOf);
      for (const changes of steps) {
        world = changes.reduce(apply, world);
        expect(held(tally.update(world))).toEqual(counted(world));
      }
    }),
  );
});

test('only nodes that changed are looked at', () => {
  const looked: string[] = [];
  const tally = new DomainTally((node) => (looked.push(node.name), sharesOf(node)));
  const [a, b, c] = ['a', 'b', 'c'].map((name) => aNodeInfo({ name, labels: { zone: name } }, aPod({ name })));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three nodes');
  tally.update([a, b, c]);
  looked.length = 0;
  b.addPod(aPodInfo({ name: 'more' }));
  tally.update([a, b, c]);
  tally.update([b, c]);
  tally.update([c, b, a]);
  expect(looked).toEqual(['b', 'a']);
});
