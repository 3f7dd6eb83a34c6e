import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { asGone } from '#lib/controllers/first-hop.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { aPod } from './a-pod.ts';
import { PodsOnNodes } from './pods-on-nodes.ts';

const change = (type: ObjectChange['type'], pod: JsonObject): ObjectChange => ({
  type,
  group: '',
  resource: 'pods',
  namespace: namespaceOf(pod),
  name: nameOf(pod),
  ownerReferences: [],
  mentions: (text) => JSON.stringify(pod).includes(text),
  object: () => pod,
});
const named = (name: string, more: { spec?: JsonObject; status?: JsonObject } = {}): Pod =>
  aPod({ metadata: { name, uid: name }, ...more });

test('tracks only pods of its nodes, while they exist', () => {
  const pods = new PodsOnNodes(['n']);
  expect(pods.note(change('ADDED', named('a')))).toBe('ns/a');
  expect(pods.note(change('ADDED', named('b', { spec: { nodeName: 'real' } })))).toBeUndefined();
  expect(pods.note(change('ADDED', named('c', { spec: { nodeName: '' } })))).toBeUndefined();
  expect(pods.note({ ...change('ADDED', named('d')), group: 'apps' })).toBeUndefined();
  expect(['a', 'b', 'c', 'd'].map((name) => pods.nodeOf(`ns/${name}`))).toEqual(['n', undefined, undefined, undefined]);
  pods.note(change('DELETED', named('a')));
  expect(pods.nodeOf('ns/a')).toBeUndefined();
});

test('gives every pod a different address, and does not reuse a free one at once', () => {
  const pods = new PodsOnNodes(['n']);
  const of = (name: string): readonly string[] => pods.addressesFor(named(name), ['10.0.0.0/29']);
  pods.note(change('ADDED', named('old', { status: { podIPs: [{ ip: '10.0.0.3' }] } })));
  expect([of('a'), of('a'), of('b')]).toEqual([['10.0.0.2'], ['10.0.0.2'], ['10.0.0.4']]);
  pods.note(change('DELETED', named('a')));
  expect([of('c'), of('d'), of('e'), of('f')]).toEqual([['10.0.0.5'], ['10.0.0.6'], ['10.0.0.2'], []]);
  pods.note(change('MODIFIED', named('b', { status: { phase: 'Succeeded', podIPs: [{ ip: '10.0.0.4' }] } })));
  expect(of('f')).toEqual(['10.0.0.4']);
});

test('frees the address of a pod whose deletion has only its namespace and name', () => {
  const pods = new PodsOnNodes(['n']);
  const held = named('a', { status: { podIPs: [{ ip: '10.0.0.2' }] } });
  pods.note(change('ADDED', held));
  const { namespace, name } = change('DELETED', held);
  expect(pods.note(asGone({ group: '', resource: 'pods', namespace, name }))).toBeUndefined();
  expect([pods.nodeOf('ns/a'), pods.addressesFor(named('b'), ['10.0.0.0/29'])]).toEqual([undefined, ['10.0.0.2']]);
});

test('gives a pod an address of each family, or none', () => {
  const pods = new PodsOnNodes(['n']);
  expect(pods.addressesFor(named('a'), ['10.0.0.0/24', 'fd00::/64'])).toEqual(['10.0.0.2', 'fd00::2']);
  expect(pods.addressesFor(named('b'), ['10.0.0.0/32'])).toEqual([]);
  expect(pods.addressesFor(named('c'), [])).toEqual([]);
});

test('gives host-network pods no address', () => {
  const pods = new PodsOnNodes(['n']);
  const host = { spec: { hostNetwork: true }, status: { podIPs: [{ ip: '10.0.0.2' }] } };
  pods.note(change('ADDED', named('host', host)));
  expect(pods.addressesFor(named('a'), ['10.0.0.0/29'])).toEqual(['10.0.0.2']);
});
