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
  ['the smallest within reach', [aVolume('b', big), aVolume('a', inZone('one')), aVolume('z', inZone('two'))], 'a'],
  ['none out of reach', [aVolume('z', inZone('two'))], undefined],
  ['the volume that is kept for it', [aVolume('a'), aVolume('k', { ...big, ...kept, ...inZone('one') })], 'k'],
  [
    'nothing else while the volume that is kept for it is out of reach',
    [aVolume('a'), aVolume('k', { ...kept, ...inZone('two') })],
    undefined,
  ],
  ['none with fewer access modes', [aVolume('a', { accessModes: ['ReadOnlyMany'] })], undefined],
  [
    'the smallest, however many its access modes',
    [aVolume('b', big), aVolume('m', { accessModes: ['ReadWriteMany', 'ReadWriteOnce'] })],
    'm',
  ],
  ['none that was released', [aVolume('a', {}, 'Released')], undefined],
  ['none of another class', [aVolume('a', { storageClassName: 'gold' })], undefined],
])('from a node a claim finds %s', (_, volumes, expected) => {
  const found = bestMatchFor(labels, claim, volumes);
  expect(found && nameOf(found)).toBe(expected);
});
