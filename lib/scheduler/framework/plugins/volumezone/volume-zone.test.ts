import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isQueuedOn } from '../../../testing/extension-points.ts';
import { aHandle, aNodeInfo, aPod, aPodInfo } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import { SKIP } from '../../status.ts';
import { volumeZone } from './volume-zone.ts';

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
const OLD_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const OLD_REGION = 'failure-domain.beta.kubernetes.io/region';

const aVolume = (name: string, labels: JsonObject): JsonObject => ({ metadata: { name, labels } });
const aClaim = (name: string, spec: JsonObject): JsonObject => ({ metadata: { namespace: 'default', name }, spec });
const aClass = (name: string, more: JsonObject): JsonObject => ({ metadata: { name }, ...more });
const objects = {
  persistentvolumes: [
    aVolume('zone', { [ZONE]: 'a' }),
    aVolume('zones', { [ZONE]: 'b__a' }),
    aVolume('old-zone', { [OLD_ZONE]: 'a' }),
    aVolume('old-zones', { [OLD_ZONE]: 'c__a' }),
    aVolume('region', { [REGION]: 'r', other: 'x' }),
    aVolume('old-region', { [OLD_REGION]: 'r' }),
    aVolume('both', { [ZONE]: 'a', [REGION]: 'r' }),
    aVolume('odd', { [ZONE]: 'a____b' }),
    aVolume('bare', {}),
  ],
  persistentvolumeclaims: [
    ...['zone', 'zones', 'old-zone', 'old-zones', 'region', 'old-region', 'both', 'odd', 'bare', 'gone'].map((name) =>
      aClaim(name, { volumeName: name }),
    ),
    aClaim('classless', {}),
    aClaim('waits', { storageClassName: 'wait' }),
    aClaim('late', { storageClassName: 'immediate' }),
    aClaim('modeless', { storageClassName: 'modeless' }),
    aClaim('no-class', { storageClassName: 'none' }),
  ],
  storageclasses: [
    aClass('wait', { volumeBindingMode: 'WaitForFirstConsumer' }),
    aClass('immediate', { volumeBindingMode: 'Immediate' }),
    aClass('modeless', {}),
  ],
};
const plugin = volumeZone({}, aHandle({ objects }));
const using = (...claims: string[]): JsonObject => ({
  volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});

test.each<[string, JsonObject, string | undefined]>([
  ['no volumes', {}, ''],
  ['a volume without labels', using('bare'), ''],
  ['a volume with an invalid zone label', using('odd'), ''],
  ['a WaitForFirstConsumer claim', using('waits'), ''],
  ['an ephemeral claim', { volumes: [{ name: 'v', ephemeral: {} }] }, ''],
  ['a volume in a zone', using('bare', 'zone'), undefined],
  ['a missing claim', using('x'), 'persistentvolumeclaim "x" not found'],
  ['a missing volume', using('gone'), 'persistentvolume "gone" not found'],
  ['a claim without a name', using(''), 'PersistentVolumeClaim had no name'],
  [
    'a claim without a class and a volume',
    using('classless'),
    'PersistentVolumeClaim had no pv name and storageClass name',
  ],
  ['an unbound claim with immediate binding', using('late'), 'PersistentVolume had no name'],
  ['a class without a binding mode', using('modeless'), 'VolumeBindingMode not set for StorageClass "modeless"'],
  ['a missing class', using('no-class'), 'storageclass.storage.k8s.io "none" not found'],
])('checks in PreFilter a pod with %s', (_, spec, reason) => {
  const found = plugin.preFilter?.(new CycleState(), aPodInfo({ spec }), []);
  const refusal = { status: { code: 'UnschedulableAndUnresolvable', reasons: [reason] } };
  expect(found).toEqual(reason === undefined ? {} : reason === '' ? { status: SKIP } : refusal);
});

test.each<[string, JsonObject, boolean]>([
  ['zone', {}, true],
  ['zone', { other: 'x' }, true],
  ['zone', { [ZONE]: 'a' }, true],
  ['zone', { [ZONE]: 'b' }, false],
  ['zone', { [OLD_ZONE]: 'a' }, false],
  ['zones', { [ZONE]: 'a' }, true],
  ['zones', { [ZONE]: 'c' }, false],
  ['old-zone', { [OLD_ZONE]: 'a', other: 'x' }, true],
  ['old-zone', { [OLD_ZONE]: 'b' }, false],
  ['old-zone', { [ZONE]: 'a' }, true],
  ['old-zone', { [ZONE]: 'b' }, false],
  ['old-zones', { [OLD_ZONE]: 'a' }, true],
  ['region', { [REGION]: 'r' }, true],
  ['region', { [REGION]: 's' }, false],
  ['old-region', { [OLD_REGION]: 'r' }, true],
  ['old-region', { [OLD_REGION]: 's' }, false],
  ['both', { [ZONE]: 'a' }, false],
  ['both', { [ZONE]: 'a', [REGION]: 'r' }, true],
])('filters the volume %s on a node with %j: %s', (claim, labels, isAllowed) => {
  const state = new CycleState();
  const pod = aPodInfo({ spec: using(claim) });
  plugin.preFilter?.(state, pod, []);
  const refusal = { code: 'UnschedulableAndUnresolvable', reasons: ['node(s) had no available volume zone'] };
  expect(plugin.filter?.(state, pod, aNodeInfo({ labels }))).toEqual(isAllowed ? undefined : refusal);
});

describe('VolumeZone: queueing hints', () => {
  const pod = aPod({ spec: using('zone') });
  const volume = (labels: JsonObject): JsonObject => aVolume('v', labels);
  const mode = (volumeBindingMode: string): JsonObject => ({ volumeBindingMode });

  test.each<[string, Parameters<typeof isQueuedOn>[1], Parameters<typeof isQueuedOn>[3], boolean]>([
    ['its claim changes', ['PersistentVolumeClaim', 'Update'], { after: aClaim('zone', {}) }, true],
    ['another claim is added', ['PersistentVolumeClaim', 'Add'], { after: aClaim('x', {}) }, false],
    [
      'a claim in another namespace is added',
      ['PersistentVolumeClaim', 'Add'],
      { after: { metadata: { namespace: 'x', name: 'zone' } } },
      false,
    ],
    ['a WaitForFirstConsumer class is added', ['StorageClass', 'Add'], { after: mode('WaitForFirstConsumer') }, true],
    ['an Immediate class is added', ['StorageClass', 'Add'], { after: mode('Immediate') }, false],
    ['a volume is added', ['PersistentVolume', 'Add'], { after: volume({}) }, true],
    [
      'the zone of a volume changes',
      ['PersistentVolume', 'Update'],
      { before: volume({ [ZONE]: 'a' }), after: volume({ [ZONE]: 'b' }) },
      true,
    ],
    [
      'a volume gets more zones',
      ['PersistentVolume', 'Update'],
      { before: volume({ [ZONE]: 'a' }), after: volume({ [ZONE]: 'a__b' }) },
      true,
    ],
    [
      'the zones of a volume stay the same',
      ['PersistentVolume', 'Update'],
      { before: volume({ [ZONE]: 'a' }), after: volume({ [ZONE]: 'a', x: 'y' }) },
      false,
    ],
    ['a node is added', ['Node', 'Add'], {}, true],
  ])('decide whether to retry a refused pod when %s', (_, event, change, expected) => {
    expect(isQueuedOn(plugin, event, pod, change)).toBe(expected);
  });
});
