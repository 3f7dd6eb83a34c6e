import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isQueuedOn } from '../../../testing/extension-points.ts';
import { aHandle, aNode } from '../../../testing/wrappers.ts';
import type { EventResource } from '../../events.ts';
import { interPodAffinityArgs } from './args.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { type AffinePod, labels, NAMESPACES, ofTeam, pod, term } from './testing.ts';

type Change = { before?: JsonObject; after?: JsonObject };

function helps(resource: EventResource, incoming: AffinePod, change: Change): boolean {
  const handle = aHandle({ objects: { namespaces: NAMESPACES } });
  const plugin = interPodAffinity(interPodAffinityArgs.parse({}), handle);
  return isQueuedOn(plugin, [resource, 'Add'], pod(incoming), change);
}

const near: AffinePod = { near: [term('service in scan,value2 @ region')] };
const nearBoth: AffinePod = { near: [term('aaa @ host'), term('bbb @ host')] };
const apart: AffinePod = { apart: [term('service in scan,value2 @ region')] };
const apartTwice: AffinePod = { apart: [term('aaa @ host'), term('bbb @ host')] };
const other = (text: string, of: AffinePod = {}): Pod => pod({ name: 'q', node: 'a', ...of, labels: text });
/** The same pod with other labels. */
const changed = (before: string, after: string): Change => {
  const [one, two] = [before, after].map((text) => ({
    ...other(text),
    metadata: { ...other(text).metadata, uid: 'q' },
  }));
  return { ...(one && { before: one }), ...(two && { after: two }) };
};
const waiting = (text: string): Pod => pod({ name: 'q', labels: text });
const nominated = (text: string): Pod => pod({ name: 'q', labels: text, status: { nominatedNodeName: 'a' } });

test.each<[string, AffinePod, Change, boolean]>([
  ['a pod matching its affinity was added', near, { after: other('service=scan') }, true],
  ['a matching pod without a node was added', near, { after: waiting('service=scan') }, false],
  ['a pod that does not match was added', near, { after: other('aaa') }, false],
  ['a pod began to match its affinity', near, changed('aaa', 'service=scan'), true],
  ['a matching pod still matches', near, changed('service=value2', 'service=scan'), false],
  ['a pod without a node began to match', near, { before: waiting('aaa'), after: waiting('service=scan') }, false],
  ['a pod no longer matches its affinity', near, changed('service=scan', 'aaa'), false],
  ['a pod began to match one of two terms', nearBoth, changed('aaa', 'service'), false],
  ['a pod began to match both terms', nearBoth, changed('aaa', 'aaa,bbb'), true],
  ['its own labels changed', {}, { before: pod({ labels: 'foo=bar' }), after: pod({ labels: 'foo=baz' }) }, true],
  ['a pod no longer matches its anti-affinity', apart, changed('service=scan', 'service=aaa'), true],
  ['a pod began to match its anti-affinity', apart, changed('service=bbb', 'service=scan'), false],
  ['a pod no longer matches one of two anti-affinity terms', apartTwice, changed('aaa', 'ccc'), true],
  ['a pod outside its anti-affinity was deleted', apart, { before: other('aaa') }, false],
  ['a pod matching its anti-affinity was deleted', apart, { before: other('service=scan') }, true],
  ['a pod matching one of two anti-affinity terms was deleted', apartTwice, { before: other('bbb') }, true],
  ['a pod with anti-affinity to it was deleted', { labels: 'service=scan' }, { before: other('', apart) }, true],
  ['a pod with anti-affinity to others was deleted', { labels: 'service=foo' }, { before: other('', apart) }, false],
  [
    'a pod without any anti-affinity was deleted',
    { ...apart, labels: 'service=foo' },
    { before: other('service=foo', apart) },
    false,
  ],
  ['a nominated pod matching its anti-affinity was deleted', apart, { before: nominated('service=scan') }, true],
  ['a nominated pod outside its anti-affinity was deleted', apart, { before: nominated('aaa') }, false],
  [
    'a pod in a namespace of the team was added',
    { near: [term('aaa @ host', ofTeam('one'))] },
    { after: other('aaa', { namespace: 't1b' }) },
    true,
  ],
  [
    'a pod in a namespace of another team was added',
    { near: [term('aaa @ host', ofTeam('one'))] },
    { after: other('aaa', { namespace: 't2a' }) },
    false,
  ],
])('decides whether a pod change helps: %s', (_, incoming, change, expected) =>
  expect(helps('Pod', incoming, change)).toBe(expected),
);

const node = (text: string): JsonObject => aNode({ labels: labels(text) });
const nearZone: AffinePod = { near: [term('service @ zone')] };
const apartZone: AffinePod = { apart: [term('service @ zone')] };

test.each<[string, AffinePod, Change, boolean]>([
  ['is added with the topology key', nearZone, { after: node('zone=z1') }, true],
  ['is added without the topology key', near, { after: node('zone=z1') }, false],
  ['changes another label', nearZone, { before: node('aaa=a'), after: node('aaa=b') }, false],
  ['gets another label', nearZone, { before: node('zone=z1'), after: node('zone=z1,aaa') }, false],
  ['moves to another domain', nearZone, { before: node('zone=z1'), after: node('zone=z2') }, true],
  ['gets the topology key', nearZone, { before: node('aaa'), after: node('zone=z1') }, true],
  ['loses the topology key', nearZone, { before: node('zone=z1'), after: node('aaa') }, false],
  ['is added with the anti-affinity key', apartZone, { after: node('zone=z1') }, true],
  ['is added without the anti-affinity key', apartZone, { after: node('') }, true],
  [
    'gets another label than the anti-affinity key',
    apartZone,
    { before: node('zone=z1'), after: node('zone=z1,aaa') },
    false,
  ],
  ['moves to another anti-affinity domain', apartZone, { before: node('zone=z1'), after: node('zone=z2') }, true],
  ['gets the anti-affinity key', apartZone, { before: node('aaa'), after: node('zone=z1') }, false],
  ['loses the anti-affinity key', apartZone, { before: node('zone=z1'), after: node('aaa') }, true],
])('decides whether a node change helps: a node %s', (_, incoming, change, expected) =>
  expect(helps('Node', incoming, change)).toBe(expected),
);
