import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { bestMatchFor } from './match.ts';

const labels = { zone: 'one' };
const inZone = (zone: string): JsonObject => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] },
  },
});
const aVolume = (name: string, spec: JsonObject = {}, phase = 'Available'): JsonObject => ({
  metadata: { name },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'local', ...spec },
  status: { phase },
});
const claim: JsonObject = {
  metadata: { name: 'c', namespace: 'here', uid: 'u' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'local', resources: { requests: { storage: '1Gi' } } },
};
const kept = { claimRef: { namespace: 'here', name: 'c' } };
const big = { capacity: { storage: '9Gi' } };

test.each<[string, JsonObject[], string | undefined]>([
  ['the smallest reachable volume', [aVolume('b', big), aVolume('a', inZone('one')), aVolume('z', inZone('two'))], 'a'],
  ['no unreachable volume', [aVolume('z', inZone('two'))], undefined],
  ['the volume reserved for it', [aVolume('a'), aVolume('k', { ...big, ...kept, ...inZone('one') })], 'k'],
  [
    'no other volume while the one reserved for it is unreachable',
    [aVolume('a'), aVolume('k', { ...kept, ...inZone('two') })],
    undefined,
  ],
  ['no volume with fewer access modes', [aVolume('a', { accessModes: ['ReadOnlyMany'] })], undefined],
  [
    'the smallest volume, whatever its access modes',
    [aVolume('b', big), aVolume('m', { accessModes: ['ReadWriteMany', 'ReadWriteOnce'] })],
    'm',
  ],
  ['no released volume', [aVolume('a', {}, 'Released')], undefined],
  ['no volume of another class', [aVolume('a', { storageClassName: 'gold' })], undefined],
])('finds for a claim on a node %s', (_, volumes, expected) => {
  const found = bestMatchFor(labels, claim, volumes);
  expect(found && nameOf(found)).toBe(expected);
});
