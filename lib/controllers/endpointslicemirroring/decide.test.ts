import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Endpoints } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { ENDPOINTS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { decideMirror, isMirrored, type Mirroring } from './decide.ts';

const anEndpoints = (subsets: JsonObject[], metadata: JsonObject = {}): Endpoints =>
  decodedAs(ENDPOINTS, {
    metadata: { name: 'own', namespace: 'here', uid: 'own-uid', labels: { a: 'b' }, ...metadata },
    subsets,
  });
const subset = (ips: readonly string[], port: number, more: JsonObject = {}): JsonObject => ({
  addresses: ips.map((ip) => ({ ip })),
  ports: [{ port, protocol: 'TCP' }],
  ...more,
});
const stored = ({ create }: Mirroring): EndpointSlice[] =>
  create.map((slice, index) => ({ ...slice, metadata: { ...slice.metadata, name: `s${index}`, uid: `${index}` } }));
const counts = (one: Mirroring): number[] => [one.create, one.update, one.delete].map((slices) => slices.length);
const told = (slice: EndpointSlice | undefined) =>
  slice?.endpoints?.map(({ addresses, conditions }) => [addresses, conditions.ready]);

describe('the mirrored slices of Endpoints', () => {
  const both = anEndpoints([subset(['10.0.0.1', 'fd00::1'], 80, { notReadyAddresses: [{ ip: '10.0.0.2' }] })]);

  test('have one slice for each family', () => {
    const [four, six, more] = decideMirror(both, []).create;
    expect([four?.addressType, told(four)]).toEqual([
      'IPv4',
      [
        [['10.0.0.1'], true],
        [['10.0.0.2'], false],
      ],
    ]);
    expect([six?.addressType, told(six), more]).toEqual(['IPv6', [[['fd00::1'], true]], undefined]);
    expect(four?.ports).toEqual([{ name: '', port: 80, protocol: 'TCP' }]);
  });

  test('have the labels and annotations, except those that only concern the Endpoints', () => {
    const annotations = {
      own: 'x',
      'endpoints.kubernetes.io/last-change-trigger-time': 'now',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    };
    const [slice = {}] = decideMirror(anEndpoints([subset(['10.0.0.1'], 80)], { annotations }), []).create;
    expect({ ...annotationsOf(slice) }).toEqual({ own: 'x' });
    expect({ ...labelsOf(slice) }).toEqual({
      a: 'b',
      'kubernetes.io/service-name': 'own',
      'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
    });
  });

  const one = anEndpoints([subset(['10.0.0.1'], 80)]);
  const slices = stored(decideMirror(one, []));
  test.each([
    ['the same Endpoints', one, [0, 0, 0]],
    ['another address', anEndpoints([subset(['10.0.0.9'], 80)]), [0, 1, 0]],
    ['another port, in place of the slice that would be deleted', anEndpoints([subset(['10.0.0.1'], 81)]), [0, 1, 0]],
    ['other labels', anEndpoints([subset(['10.0.0.1'], 80)], { labels: {} }), [0, 1, 0]],
    ['other annotations', anEndpoints([subset(['10.0.0.1'], 80)], { annotations: { x: 'y' } }), [0, 1, 0]],
    ['recreated Endpoints', anEndpoints([subset(['10.0.0.1'], 80)], { uid: 'other' }), [0, 1, 0]],
    ['another family', anEndpoints([subset(['fd00::1'], 80)]), [1, 0, 1]],
    ['no subsets', anEndpoints([]), [0, 0, 1]],
  ])('are created, updated or deleted for %s', (_, endpoints, expected) => {
    const mirroring = decideMirror(endpoints, slices);
    expect(counts(mirroring)).toEqual(expected);
    expect(mirroring.update.map(nameOf)).toEqual(expected[1] === 1 ? ['s0'] : []);
  });

  test('are deleted if another slice has the same content', () => {
    const another = slices.map((slice) => ({ ...slice, metadata: { ...slice.metadata, name: 's1' } }));
    expect(decideMirror(one, [...slices, ...another]).delete.map(nameOf)).toEqual(['s1']);
  });

  test('hold 1000 addresses and count the skipped ones', () => {
    const ips = Array.from({ length: 1003 }, (_, i) => `10.0.${Math.floor(i / 250)}.${i % 250}`);
    const mirroring = decideMirror(anEndpoints([subset([...ips, '0x'], 80)]), []);
    expect(mirroring.create[0]?.endpoints).toHaveLength(1000);
    expect([mirroring.invalid, mirroring.skipped]).toEqual([1, 4]);
  });
});

test.each([
  ['without annotations', {}, true],
  ['with the skip-mirror label', { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }, false],
  ['with a leader election lock', { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }, false],
])('decides whether Endpoints %s are mirrored', (_, metadata, expected) => {
  expect(isMirrored(anEndpoints([], metadata))).toBe(expected);
});
