import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { bestMatch, mismatch } from './match.ts';

const aVolume = (name: string, spec: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  metadata: { name, ...more },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
  status: { phase: 'Available' },
});
const aClaim = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'c', namespace: 'here', uid: 'u' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const kept = { claimRef: { namespace: 'here', name: 'c' } };
const big = { capacity: { storage: '9Gi' } };

test.each<[string, JsonObject[], JsonObject, string | undefined]>([
  [
    'the smallest volume that is large enough',
    [aVolume('b', big), aVolume('a'), aVolume('s', { capacity: { storage: '9Mi' } })],
    {},
    'a',
  ],
  ['the volume reserved for it', [aVolume('a'), aVolume('k', { ...big, ...kept })], {}, 'k'],
  [
    'a volume with few access modes',
    [aVolume('m', { accessModes: ['ReadWriteMany', 'ReadWriteOnce'] }), aVolume('b', big)],
    {},
    'b',
  ],
  ['no volume with other access modes', [aVolume('m', { accessModes: ['ReadOnlyMany'] })], {}, undefined],
  ['no volume of another claim', [aVolume('o', { claimRef: { namespace: 'here', name: 'o' } })], {}, undefined],
  [
    'no volume of an older claim with this name',
    [aVolume('o', { claimRef: { namespace: 'here', name: 'c', uid: 'x' } })],
    {},
    undefined,
  ],
  ['no volume of another class', [aVolume('g', { storageClassName: 'gold' })], {}, undefined],
  [
    'a volume of its class',
    [aVolume('a'), aVolume('g', { storageClassName: 'gold' })],
    { storageClassName: 'gold' },
    'g',
  ],
  [
    'a volume that its selector matches',
    [aVolume('a'), aVolume('l', big, { labels: { x: 'y' } })],
    { selector: { matchLabels: { x: 'y' } } },
    'l',
  ],
  ['no volume being deleted', [aVolume('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })], {}, undefined],
  ['no volume with another volume mode', [aVolume('a', { volumeMode: 'Block' })], {}, undefined],
  ['no volume with other attributes', [aVolume('a', { volumeAttributesClassName: 'fast' })], {}, undefined],
  ['no volume that is not available yet', [{ ...aVolume('a'), status: { phase: 'Pending' } }], {}, undefined],
])('finds for a claim %s', (_, volumes, spec, expected) => {
  const found = bestMatch(aClaim(spec), volumes, false);
  expect(found && nameOf(found)).toBe(expected);
});

test('finds only a reserved volume for a claim with delayed binding', () => {
  expect(bestMatch(aClaim(), [aVolume('a')], true)).toBeUndefined();
  expect(bestMatch(aClaim(), [aVolume('a'), aVolume('k', kept)], true)).toMatchObject({ metadata: { name: 'k' } });
});

test.each<[JsonObject, string | undefined]>([
  [{}, undefined],
  [{ capacity: { storage: '1Mi' } }, 'requested PV is too small'],
  [{ storageClassName: 'gold' }, 'storageClassName does not match'],
  [{ volumeAttributesClassName: 'x' }, 'volumeAttributesClassName does not match'],
  [{ volumeMode: 'Block' }, 'incompatible volumeMode'],
  [{ accessModes: ['ReadOnlyMany'] }, 'incompatible accessMode'],
])('reports for a volume of %j the mismatch: %s', (spec, expected) =>
  expect(mismatch(aVolume('v', spec), aClaim())).toBe(expected),
);
