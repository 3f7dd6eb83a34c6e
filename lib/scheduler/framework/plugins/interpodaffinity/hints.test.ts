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
  ['one came that it is to be near', near, { after: other('service=scan') }, true],
  ['one came that has no node', near, { after: waiting('service=scan') }, false],
  ['another came', near, { after: other('aaa') }, false],
  ['one became what it is to be near', near, changed('aaa', 'service=scan'), true],
  ['one is what it was to be near as before', near, changed('service=value2', 'service=scan'), false],
  ['one without a node became so', near, { before: waiting('aaa'), after: waiting('service=scan') }, false],
  ['one is no longer what it is to be near', near, changed('service=scan', 'aaa'), false],
  ['one was what one of two terms is about', nearBoth, changed('aaa', 'service'), false],
  ['one became what both terms are about', nearBoth, changed('aaa', 'aaa,bbb'), true],
  ['its own labels changed', {}, { before: pod({ labels: 'foo=bar' }), after: pod({ labels: 'foo=baz' }) }, true],
  ['one is no longer what it keeps off', apart, changed('service=scan', 'service=aaa'), true],
  ['one became what it keeps off', apart, changed('service=bbb', 'service=scan'), false],
  ['one is no longer what one of two terms keeps off', apartTwice, changed('aaa', 'ccc'), true],
  ['one went that it does not keep off', apart, { before: other('aaa') }, false],
  ['one went that it keeps off', apart, { before: other('service=scan') }, true],
  ['one went that one of two terms keeps off', apartTwice, { before: other('bbb') }, true],
  ['one went that kept off it', { labels: 'service=scan' }, { before: other('', apart) }, true],
  ['one went that kept off others', { labels: 'service=foo' }, { before: other('', apart) }, false],
  [
    'one went, neither kept off the other',
    { ...apart, labels: 'service=foo' },
    { before: other('service=foo', apart) },
    false,
  ],
  ['a nominated one went that it keeps off', apart, { before: nominated('service=scan') }, true],
  ['a nominated one went that it does not keep off', apart, { before: nominated('aaa') }, false],
  [
    'one came in a namespace of the team',
    { near: [term('aaa @ host', ofTeam('one'))] },
    { after: other('aaa', { namespace: 't1b' }) },
    true,
  ],
  [
    'one came in a namespace of another team',
    { near: [term('aaa @ host', ofTeam('one'))] },
    { after: other('aaa', { namespace: 't2a' }) },
    false,
  ],
])('of pods: %s', (_, incoming, change, expected) => expect(helps('Pod', incoming, change)).toBe(expected));

const node = (text: string): JsonObject => aNode({ labels: labels(text) });
const nearZone: AffinePod = { near: [term('service @ zone')] };
const apartZone: AffinePod = { apart: [term('service @ zone')] };

test.each<[string, AffinePod, Change, boolean]>([
  ['came with the key', nearZone, { after: node('zone=z1') }, true],
  ['came without the key', near, { after: node('zone=z1') }, false],
  ['changed another label', nearZone, { before: node('aaa=a'), after: node('aaa=b') }, false],
  ['got another label', nearZone, { before: node('zone=z1'), after: node('zone=z1,aaa') }, false],
  ['moved', nearZone, { before: node('zone=z1'), after: node('zone=z2') }, true],
  ['got the key', nearZone, { before: node('aaa'), after: node('zone=z1') }, true],
  ['lost the key', nearZone, { before: node('zone=z1'), after: node('aaa') }, false],
  ['came with the key to keep off', apartZone, { after: node('zone=z1') }, true],
  ['came without the key to keep off', apartZone, { after: node('') }, true],
  [
    'got another label than that to keep off',
    apartZone,
    { before: node('zone=z1'), after: node('zone=z1,aaa') },
    false,
  ],
  ['moved to where it may not be kept off', apartZone, { before: node('zone=z1'), after: node('zone=z2') }, true],
  ['got the key to keep off', apartZone, { before: node('aaa'), after: node('zone=z1') }, false],
  ['lost the key to keep off', apartZone, { before: node('zone=z1'), after: node('aaa') }, true],
])('of nodes: one %s', (_, incoming, change, expected) => expect(helps('Node', incoming, change)).toBe(expected));
