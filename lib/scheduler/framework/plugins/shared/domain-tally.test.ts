import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { aNodeInfo, aPod, aPodInfo } from '../../../testing/wrappers.ts';
import type { NodeInfo } from '../../node-info.ts';
import { type Counting, DomainTally } from './domain-tally.ts';
import { type NodePlace, PodJournal } from './pod-journal.ts';
import { Cluster, happening } from './testing.ts';

const shares = (key: string, { labels }: NodePlace) =>
  labels['zone'] === undefined ? [] : [{ key, of: key, domain: labels['zone'] }];

/** Counts nodes by zone, and pods that are not terminating by zone and label. */
const COUNTING: Counting<string> = {
  ofNode: (place) => shares('nodes', place),
  ofPod: ({ labels, deleted }, place) =>
    deleted === undefined ? Object.keys(labels).flatMap((key) => shares(key, place)) : [],
};

const held = (tally: DomainTally<string>): unknown =>
  Object.fromEntries([...tally.groups()].map(({ of, domains }) => [of, Object.fromEntries(domains)]));

/** The same counts, computed from scratch. */
function counted(nodes: readonly NodeInfo[]): unknown {
  const counts: Record<string, Record<string, number>> = {};
  const add = (key: string, zone: string): void => {
    const domains = (counts[key] ??= {});
    domains[zone] = (domains[zone] ?? 0) + 1;
  };
  for (const { labels, pods } of nodes) {
    const zone = labels['zone'];
    if (zone === undefined) continue;
    add('nodes', zone);
    for (const pod of pods.values())
      if (pod.deleted === undefined) for (const key of Object.keys(pod.labels)) add(key, zone);
  }
  return counts;
}

test('updates counts incrementally to the result of a full count', () => {
  fc.assert(
    fc.property(fc.array(fc.array(happening, { maxLength: 6 }), { maxLength: 12 }), fc.boolean(), (steps, isRare) => {
      const [cluster, journal] = [new Cluster(), new PodJournal()];
      const [often, rarely] = [new DomainTally(COUNTING), new DomainTally(COUNTING)];
      for (const [i, step] of steps.entries()) {
        for (const one of step) cluster.happen(one);
        expect(held(often.update(journal.update(cluster.nodes)))).toEqual(counted(cluster.nodes));
        if (!isRare || i % 3 === 0) expect(held(rarely.update(journal))).toEqual(counted(cluster.nodes));
      }
    }),
  );
});

const three = (): NodeInfo[] =>
  ['a', 'b', 'c'].map((name) =>
    aNodeInfo({ name, labels: { zone: name } }, aPod({ name }), aPod({ name: `${name}2`, namespace: 'other' })),
  );

test('reads only what changed', () => {
  const looked: string[] = [];
  const tally = new DomainTally({ ofPod: ({ name }) => (looked.push(name), []) });
  const [nodes, journal] = [three(), new PodJournal()];
  tally.update(journal.update(nodes));
  looked.length = 0;
  nodes[1]?.addPod(aPodInfo({ name: 'more' }));
  tally.update(journal.update(nodes));
  nodes[1]?.addPod(aPodInfo({ name: 'more', status: { phase: 'Running' } }));
  tally.update(journal.update(nodes));
  tally.update(journal.update(nodes.toReversed()));
  tally.update(journal.update(nodes.slice(1)));
  expect(looked).toEqual(['more', 'a', 'a2']);
});

test('ignores pods of other namespaces', () => {
  const looked: string[] = [];
  const tally = new DomainTally({ ofPod: ({ name }) => (looked.push(name), []), namespaces: new Set(['other']) });
  tally.update(new PodJournal().update(three()));
  expect(looked).toEqual(['a2', 'b2', 'c2']);
});

test('counts everything again if it is too far behind', () => {
  const [nodes, journal] = [three(), new PodJournal()];
  const tally = new DomainTally(COUNTING).update(journal.update(nodes));
  const other = aPodInfo({ name: 'x', labels: { foo: '' } });
  while (journal.start === 0) {
    nodes[0]?.addPod(other);
    journal.update(nodes);
    nodes[0]?.removePod(other);
    journal.update(nodes);
  }
  nodes[0]?.addPod(other);
  expect(held(tally.update(journal.update(nodes)))).toEqual(counted(nodes));
});
