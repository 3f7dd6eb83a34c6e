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
  ['one more', { wants: claims('e1'), there: claims('e2'), limits: { [EBS]: 2 } }],
  ['what is there already', { wants: claims('e1'), there: claims('e1') }],
  ['another driver’s', { wants: claims('g1'), there: claims('e1'), limits: { [EBS]: 1, [GOOGLE]: 1 } }],
  ['a driver’s without limit', { wants: claims('e1', 'e2'), limits: { [EBS]: undefined } }],
  ['a driver’s that is not there', { wants: claims('g1', 'e1'), limits: { [EBS]: 1 } }],
  ['what has no driver', { wants: claims('path'), there: claims('e1') }],
  ['what no driver would know', { wants: claims('broken'), there: claims('e1') }],
  ['a claim without class', { wants: claims('classless', 'no-class'), there: claims('e1') }],
  ['anything, where no drivers are told of', { wants: claims('e1', 'old'), there: claims('e2'), hasNoDrivers: true }],
  ['what one pod or two claim under no name yet', { wants: claims('pending'), there: claims('pending') }],
  ['one beside an attachment', { wants: claims('e1'), attachments: [anAttachment('a', 'e2')], limits: { [EBS]: 2 } }],
  [
    'one beside another node’s',
    {
      wants: claims('e1'),
      attachments: [{ spec: { attacher: EBS, nodeName: 'x', source: { persistentVolumeName: 'e2' } } }],
    },
  ],
  [
    'one beside an attachment of no driver',
    {
      wants: claims('e1'),
      attachments: [anAttachment('a', 'path'), anAttachment('b', 'gone'), anAttachment('c', 'e2', '')],
    },
  ],
  [
    'one whose attachment and pod are counted once',
    { wants: claims('e2'), there: claims('e1'), attachments: [anAttachment('a', 'e1')], limits: { [EBS]: 2 } },
  ],
  ['other pods’ claims that are not there', { wants: claims('e1'), there: claims('unknown') }],
  ['its own claim', { wants: [ephemeral('own')] }],
])('a node takes %s', (_, of) => expect(filtered(of)).toBeUndefined());

test.each<[string, Case]>([
  ['a second', { wants: claims('e1'), there: claims('e2') }],
  ['two at once', { wants: claims('e1', 'e2') }],
  ['one more than is attached', { wants: claims('e1'), attachments: [anAttachment('a', 'e2')] }],
  ['one that is yet to be made', { wants: claims('pending'), there: claims('e1') }],
  ['one whose volume is gone', { wants: claims('lost'), there: claims('e1') }],
  ['one of its own', { wants: [ephemeral('own')], there: claims('e1') }],
  ['one of what was built in', { wants: claims('old'), there: claims('e1') }],
  ['one to be made by what was built in', { wants: claims('pending-old'), there: claims('e1') }],
  ['one of a driver beside what was built in', { wants: claims('e1'), there: claims('old') }],
  ['one beside a pod’s own of what was built in', { wants: claims('e1'), there: [inline] }],
  ['a pod’s own of what was built in', { wants: [inline], there: claims('e1') }],
])('a full node refuses %s', (_, of) => expect(filtered(of)).toEqual(FULL));

test.each<[string, Case, string, string]>([
  [
    'a claim that is not there',
    { wants: claims('x') },
    'UnschedulableAndUnresolvable',
    'looking up PVC default/x: persistentvolumeclaim "x" not found',
  ],
  [
    'an own claim that is not there',
    { wants: [ephemeral('x')] },
    'UnschedulableAndUnresolvable',
    'looking up PVC default/new-x: persistentvolumeclaim "new-x" not found',
  ],
  [
    'a claim that is not its own',
    { wants: [ephemeral('foreign')] },
    'Error',
    'PVC default/new-foreign was not created for pod default/new (pod is not owner)',
  ],
  ['a claim without a name', { wants: claims('') }, 'Error', 'PersistentVolumeClaim had no name'],
  [
    'a volume that its driver would not know',
    { wants: [{ name: 'v', awsElasticBlockStore: { volumeID: 'aws://x/y' } }] },
    'Error',
    'converting volume(v) from inline to csi: failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://x/y)',
  ],
])('rejects %s', (_, of, code, reason) => expect(filtered(of)).toEqual({ code, reasons: [reason] }));

const plugin = nodeVolumeLimits({}, aHandle());

test.each<[string, JsonObject[], object]>([
  [
    'nothing to attach',
    [
      { name: 's', secret: {} },
      { name: 'c', configMap: {} },
    ],
    { status: SKIP },
  ],
  ['a claim', claims('e1'), {}],
  ['a claim of its own', [ephemeral('x')], {}],
  ['what was built in', [inline], {}],
])('filters run for %s or do not', (_, volumes, expected) => {
  expect(plugin.preFilter?.(new CycleState(), aPodInfo({ spec: { volumes } }), [])).toEqual(expected);
});

describe('a pod that was refused is tried again', () => {
  const pod = aPod({ spec: { volumes: [...claims('c'), ephemeral('e')] } });
  const using = (nodeName: string, ...volumes: JsonObject[]): JsonObject =>
    aPod({ name: 'p', spec: { nodeName, volumes } });
  const node = (count?: number): JsonObject => limited({ [EBS]: count });

  test.each<[string, Parameters<typeof isQueuedOn>[1], Parameters<typeof isQueuedOn>[3], boolean]>([
    ['a user of a claim goes', ['Pod', 'Delete'], { before: using('n', ...claims('x')) }, true],
    ['a user of what was built in goes', ['Pod', 'Delete'], { before: using('n', inline) }, true],
    ['a pod without volumes goes', ['Pod', 'Delete'], { before: using('n') }, false],
    ['a pod that had no node goes', ['Pod', 'Delete'], { before: using('', ...claims('x')) }, false],
    ['its claim comes', ['PersistentVolumeClaim', 'Add'], { after: aClaim('c', {}) }, true],
    ['its own claim comes', ['PersistentVolumeClaim', 'Add'], { after: aClaim('pod-e', {}) }, true],
    ['another claim comes', ['PersistentVolumeClaim', 'Add'], { after: aClaim('x', {}) }, false],
    [
      'a claim comes elsewhere',
      ['PersistentVolumeClaim', 'Add'],
      { after: { metadata: { namespace: 'x', name: 'c' } } },
      false,
    ],
    ['something is detached', ['VolumeAttachment', 'Delete'], { before: anAttachment('a', 'e1') }, true],
    ['a limit grows', ['CSINode', 'Update'], { before: node(1), after: node(2) }, true],
    ['a driver comes', ['CSINode', 'Update'], { before: limited({}), after: node(1) }, true],
    ['a limit shrinks', ['CSINode', 'Update'], { before: node(2), after: node(1) }, false],
    ['a node tells of drivers', ['CSINode', 'Add'], { after: node() }, true],
  ])('when %s: %s', (_, event, change, expected) => {
    expect(isQueuedOn(plugin, event, pod, change)).toBe(expected);
  });

  test.each<[string, boolean]>([
    [EBS, true],
    [GOOGLE, false],
  ])('with a volume of its own when %s detaches: %s', (attacher, expected) => {
    const own = aPod({ spec: { volumes: [inline] } });
    const before = anAttachment('a', 'x', attacher);
    expect(isQueuedOn(plugin, ['VolumeAttachment', 'Delete'], own, { before })).toBe(expected);
  });
});
