import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { StatefulSet } from '#lib/api/types/apps.v1.ts';
import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PODS, STATEFUL_SETS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { blocksCreation, claimsFor, hasOtherController, ownersOfClaim } from './claims.ts';

const aSet = (whenDeleted: string, whenScaled: string): StatefulSet =>
  decodedAs(STATEFUL_SETS, {
    metadata: { name: 'web', namespace: 'here', uid: 'set' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
      volumeClaimTemplates: [{ metadata: { name: 'data', labels: { app: 'x', tier: 'db' } }, spec: {} }],
    },
  });
const pod = decodedAs(PODS, { metadata: { name: 'web-1', namespace: 'here', uid: 'pod' } });
const bySet = (uid = 'set') => ({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid, controller: true });
const byPod = (uid = 'pod') => ({ apiVersion: 'v1', kind: 'Pod', name: 'web-1', uid, controller: true });
const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true };
const aClaim = (...ownerReferences: JsonObject[]): PersistentVolumeClaim =>
  decodedAs(PERSISTENT_VOLUME_CLAIMS, { metadata: { name: 'data-web-1', ownerReferences } });

describe('the owners of a claim', () => {
  test.each<[string, string, boolean, JsonObject[], string[] | undefined]>([
    ['Retain', 'Retain', true, [], undefined],
    ['Retain', 'Retain', true, [bySet()], []],
    ['Retain', 'Retain', false, [byPod()], []],
    ['Delete', 'Retain', true, [], ['set']],
    ['Delete', 'Retain', false, [bySet()], undefined],
    ['Delete', 'Retain', true, [{ ...bySet(), controller: false }], ['set']],
    ['Retain', 'Delete', true, [], undefined],
    ['Retain', 'Delete', false, [], ['pod']],
    ['Retain', 'Delete', true, [byPod()], []],
    ['Delete', 'Delete', true, [], ['set']],
    ['Delete', 'Delete', false, [bySet()], ['pod']],
    ['Delete', 'Delete', true, [bySet('earlier')], undefined],
    ['Delete', 'Delete', false, [byPod('earlier')], undefined],
    ['Delete', 'Retain', true, [other], undefined],
    ['Delete', 'Retain', true, [other, bySet()], ['x']],
    ['Retain', 'Retain', true, [other, bySet()], ['x']],
  ])(
    'follow whenDeleted %s, whenScaled %s and wanted %s for the owners %j',
    (deleted, scaled, isWanted, held, expected) => {
      const owners = ownersOfClaim(aClaim(...held), { set: aSet(deleted, scaled), pod, isWanted });
      expect(owners?.map(({ uid }) => uid)).toEqual(expected);
      if (owners === undefined) return;
      expect(ownersOfClaim(aClaim(...owners), { set: aSet(deleted, scaled), pod, isWanted })).toBeUndefined();
    },
  );
});

test('waits for the claim of a deleted pod if claims are deleted with pods', () => {
  const owners = (scaled: string) => ({ set: aSet('Retain', scaled), pod, isWanted: true });
  expect(blocksCreation(aClaim(byPod('earlier')), owners('Delete'))).toBe(true);
  expect(blocksCreation(aClaim(byPod('earlier')), owners('Retain'))).toBe(false);
  expect(blocksCreation(aClaim(other), owners('Delete'))).toBe(false);
});

test('considers another controller only if claims are deleted', () => {
  const owners = (deleted: string) => ({ set: aSet(deleted, 'Retain'), pod, isWanted: true });
  expect(hasOtherController(aClaim(other), owners('Delete'))).toBe(true);
  expect(hasOtherController(aClaim(other), owners('Retain'))).toBe(false);
  expect(hasOtherController(aClaim(bySet(), byPod()), owners('Delete'))).toBe(false);
});

test('gives claims the labels of their template and of the selector of the set', () => {
  expect(claimsFor(aSet('Retain', 'Retain'), 4)).toMatchObject([
    { metadata: { name: 'data-web-4', namespace: 'here', labels: { app: 'web', tier: 'db' } } },
  ]);
});
