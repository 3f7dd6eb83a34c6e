import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isQueuedOn } from '../../../testing/extension-points.ts';
import { aHandle, aNodeInfo, aPod, aPodInfo } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import { SKIP } from '../../status.ts';
import { nodeVolumeLimits } from './csi.ts';

const EBS = 'ebs.csi.aws.com';
const GOOGLE = 'pd.csi.storage.gke.io';

const aVolume = (name: string, spec: JsonObject): JsonObject => ({ metadata: { name }, spec });
const csi = (driver: string, volumeHandle: string): JsonObject => ({ csi: { driver, volumeHandle } });
const aClaim = (name: string, spec: JsonObject, owner = ''): JsonObject => ({
  metadata: {
    namespace: 'default',
    name,
    ...(owner === '' ? {} : { ownerReferences: [{ kind: 'Pod', name: owner, uid: owner, controller: true }] }),
  },
  spec,
});
const aClass = (name: string, provisioner: string): JsonObject => ({ metadata: { name }, provisioner });
const anAttachment = (name: string, volume: string, attacher = EBS): JsonObject => ({
  metadata: { name },
  spec: { attacher, nodeName: 'node', source: { persistentVolumeName: volume } },
});
const limited = (limits: Readonly<Record<string, number | undefined>>): JsonObject => ({
  metadata: { name: 'node' },
  spec: {
    drivers: Object.entries(limits).map(([name, count]) => ({
      name,
      ...(count === undefined ? {} : { allocatable: { count } }),
    })),
  },
});

const ebs = (id: string): JsonObject => aVolume(id, csi(EBS, id));
const persistentvolumes = [
  ...['e1', 'e2', 'e3'].map(ebs),
  aVolume('g1', csi(GOOGLE, 'g1')),
  aVolume('old', { awsElasticBlockStore: { volumeID: 'vol-old' } }),
  aVolume('broken', { awsElasticBlockStore: { volumeID: 'aws://x/y' } }),
  aVolume('path', { hostPath: { path: '/' } }),
];
const persistentvolumeclaims = [
  ...['e1', 'e2', 'e3', 'g1', 'old', 'broken', 'path'].map((name) => aClaim(name, { volumeName: name })),
  aClaim('lost', { volumeName: 'gone', storageClassName: 'ebs' }),
  aClaim('pending', { storageClassName: 'ebs' }),
  aClaim('pending-old', { storageClassName: 'old' }),
  aClaim('classless', {}),
  aClaim('no-class', { storageClassName: 'none' }),
  aClaim('new-own', { storageClassName: 'ebs' }, 'new'),
  aClaim('new-foreign', { storageClassName: 'ebs' }),
];
const storageclasses = [aClass('ebs', EBS), aClass('old', 'kubernetes.io/aws-ebs')];

const claims = (...names: string[]): JsonObject[] =>
  names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
const ephemeral = (name: string): JsonObject => ({ name, ephemeral: {} });
const inline: JsonObject = { name: 'in', awsElasticBlockStore: { volumeID: 'vol-in' } };

interface Case {
  readonly wants: JsonObject[];
  /** The volumes of existing pods. */
  readonly there?: JsonObject[];
  readonly limits?: Readonly<Record<string, number | undefined>>;
  readonly attachments?: JsonObject[];
  readonly hasNoDrivers?: boolean;
}

function filtered({ wants, there = [], limits = { [EBS]: 1 }, attachments = [], hasNoDrivers = false }: Case): unknown {
  const csinodes = hasNoDrivers ? [] : [limited(limits)];
  const objects = {
    persistentvolumes,
    persistentvolumeclaims,
    storageclasses,
    csinodes,
    volumeattachments: attachments,
  };
  const plugin = nodeVolumeLimits({}, aHandle({ objects }));
  const [state, pod] = [new CycleState(), aPodInfo({ name: 'new', spec: { volumes: wants } })];
  plugin.preFilter?.(state, pod, []);
  return plugin.filter?.(state, pod, aNodeInfo({}, aPod({ name: 'old', spec: { volumes: there } })));
}

const FULL = { code: 'Unschedulable', reasons: ['node(s) exceed max volume count'] };

test.each<[string, Case]>([
  ['one more volume', { wants: claims('e1'), there: claims('e2'), limits: { [EBS]: 2 } }],
  ['a volume that is already attached', { wants: claims('e1'), there: claims('e1') }],
  ['a volume of another driver', { wants: claims('g1'), there: claims('e1'), limits: { [EBS]: 1, [GOOGLE]: 1 } }],
  ['volumes of a driver without a limit', { wants: claims('e1', 'e2'), limits: { [EBS]: undefined } }],
  ['a volume of a driver that is not on the node', { wants: claims('g1', 'e1'), limits: { [EBS]: 1 } }],
  ['a volume without a driver', { wants: claims('path'), there: claims('e1') }],
  ['a volume that no driver can translate', { wants: claims('broken'), there: claims('e1') }],
  ['a claim without a class', { wants: claims('classless', 'no-class'), there: claims('e1') }],
  [
    'any volumes if the node reports no drivers',
    { wants: claims('e1', 'old'), there: claims('e2'), hasNoDrivers: true },
  ],
  ['one unbound claim used by two pods', { wants: claims('pending'), there: claims('pending') }],
  [
    'a volume next to an attachment',
    { wants: claims('e1'), attachments: [anAttachment('a', 'e2')], limits: { [EBS]: 2 } },
  ],
  [
    'a volume next to an attachment on another node',
    {
      wants: claims('e1'),
      attachments: [{ spec: { attacher: EBS, nodeName: 'x', source: { persistentVolumeName: 'e2' } } }],
    },
  ],
  [
    'a volume next to an attachment without a driver',
    {
      wants: claims('e1'),
      attachments: [anAttachment('a', 'path'), anAttachment('b', 'gone'), anAttachment('c', 'e2', '')],
    },
  ],
  [
    'a volume whose attachment and pod count once',
    { wants: claims('e2'), there: claims('e1'), attachments: [anAttachment('a', 'e1')], limits: { [EBS]: 2 } },
  ],
  ['a volume next to missing claims of other pods', { wants: claims('e1'), there: claims('unknown') }],
  ['the pod’s ephemeral claim', { wants: [ephemeral('own')] }],
])('accepts on a node %s', (_, of) => expect(filtered(of)).toBeUndefined());

test.each<[string, Case]>([
  ['a second volume', { wants: claims('e1'), there: claims('e2') }],
  ['two volumes at once', { wants: claims('e1', 'e2') }],
  ['a volume beyond the attached ones', { wants: claims('e1'), attachments: [anAttachment('a', 'e2')] }],
  ['a volume to be provisioned', { wants: claims('pending'), there: claims('e1') }],
  ['a claim whose volume is gone', { wants: claims('lost'), there: claims('e1') }],
  ['an ephemeral claim', { wants: [ephemeral('own')], there: claims('e1') }],
  ['a migrated in-tree volume', { wants: claims('old'), there: claims('e1') }],
  ['a volume to be provisioned by a migrated in-tree plugin', { wants: claims('pending-old'), there: claims('e1') }],
  ['a CSI volume next to a migrated in-tree volume', { wants: claims('e1'), there: claims('old') }],
  ['a CSI volume next to a migrated inline volume', { wants: claims('e1'), there: [inline] }],
  ['a migrated inline volume', { wants: [inline], there: claims('e1') }],
])('rejects on a full node %s', (_, of) => expect(filtered(of)).toEqual(FULL));

test.each<[string, Case, string, string]>([
  [
    'a missing claim',
    { wants: claims('x') },
    'UnschedulableAndUnresolvable',
    'looking up PVC default/x: persistentvolumeclaim "x" not found',
  ],
  [
    'a missing ephemeral claim',
    { wants: [ephemeral('x')] },
    'UnschedulableAndUnresolvable',
    'looking up PVC default/new-x: persistentvolumeclaim "new-x" not found',
  ],
  [
    'an ephemeral claim of another pod',
    { wants: [ephemeral('foreign')] },
    'Error',
    'PVC default/new-foreign was not created for pod default/new (pod is not owner)',
  ],
  ['a claim without a name', { wants: claims('') }, 'Error', 'PersistentVolumeClaim had no name'],
  [
    'a volume that its driver cannot translate',
    { wants: [{ name: 'v', awsElasticBlockStore: { volumeID: 'aws://x/y' } }] },
    'Error',
    'converting volume(v) from inline to csi: failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://x/y)',
  ],
])('rejects a pod with %s', (_, of, code, reason) => expect(filtered(of)).toEqual({ code, reasons: [reason] }));

const plugin = nodeVolumeLimits({}, aHandle());

test.each<[string, JsonObject[], object]>([
  [
    'a pod without volumes to attach',
    [
      { name: 's', secret: {} },
      { name: 'c', configMap: {} },
    ],
    { status: SKIP },
  ],
  ['a pod with a claim', claims('e1'), {}],
  ['a pod with an ephemeral claim', [ephemeral('x')], {}],
  ['a pod with a migrated inline volume', [inline], {}],
])('skips or runs the filter for %s', (_, volumes, expected) => {
  expect(plugin.preFilter?.(new CycleState(), aPodInfo({ spec: { volumes } }), [])).toEqual(expected);
});

describe('NodeVolumeLimits: queueing hints', () => {
  const pod = aPod({ spec: { volumes: [...claims('c'), ephemeral('e')] } });
  const using = (nodeName: string, ...volumes: JsonObject[]): JsonObject =>
    aPod({ name: 'p', spec: { nodeName, volumes } });
  const node = (count?: number): JsonObject => limited({ [EBS]: count });

  test.each<[string, Parameters<typeof isQueuedOn>[1], Parameters<typeof isQueuedOn>[3], boolean]>([
    ['a pod with a claim is deleted', ['Pod', 'Delete'], { before: using('n', ...claims('x')) }, true],
    ['a pod with a migrated volume is deleted', ['Pod', 'Delete'], { before: using('n', inline) }, true],
    ['a pod without volumes is deleted', ['Pod', 'Delete'], { before: using('n') }, false],
    ['a pod without a node is deleted', ['Pod', 'Delete'], { before: using('', ...claims('x')) }, false],
    ['its claim is added', ['PersistentVolumeClaim', 'Add'], { after: aClaim('c', {}) }, true],
    ['its ephemeral claim is added', ['PersistentVolumeClaim', 'Add'], { after: aClaim('pod-e', {}) }, true],
    ['another claim is added', ['PersistentVolumeClaim', 'Add'], { after: aClaim('x', {}) }, false],
    [
      'a claim in another namespace is added',
      ['PersistentVolumeClaim', 'Add'],
      { after: { metadata: { namespace: 'x', name: 'c' } } },
      false,
    ],
    ['a volume is detached', ['VolumeAttachment', 'Delete'], { before: anAttachment('a', 'e1') }, true],
    ['a limit grows', ['CSINode', 'Update'], { before: node(1), after: node(2) }, true],
    ['a driver is added', ['CSINode', 'Update'], { before: limited({}), after: node(1) }, true],
    ['a limit shrinks', ['CSINode', 'Update'], { before: node(2), after: node(1) }, false],
    ['a node reports its drivers', ['CSINode', 'Add'], { after: node() }, true],
  ])('decide whether to retry a refused pod when %s: %s', (_, event, change, expected) => {
    expect(isQueuedOn(plugin, event, pod, change)).toBe(expected);
  });

  test.each<[string, boolean]>([
    [EBS, true],
    [GOOGLE, false],
  ])('decide for an inline volume when a volume of %s detaches: %s', (attacher, expected) => {
    const own = aPod({ spec: { volumes: [inline] } });
    const before = anAttachment('a', 'x', attacher);
    expect(isQueuedOn(plugin, ['VolumeAttachment', 'Delete'], own, { before })).toBe(expected);
  });
});
