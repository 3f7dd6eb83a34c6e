import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Node, PersistentVolume, Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PERSISTENT_VOLUMES, PODS, VOLUME_ATTACHMENTS } from '#lib/api/types/resources.ts';
import type { VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { attachStep, DETACH_REQUESTED, MANAGED, type NodePlan, outcomeOf, planNode } from './decide.ts';
import { multiAttach } from './messages.ts';
import { type AttachableVolume, attachableInline, attachableOf, attachmentOf, isTerminated } from './volumes.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();

const aVolume = (name: string, spec: JsonObject = {}): PersistentVolume =>
  decodedAs(PERSISTENT_VOLUMES, {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'csi.example.com', volumeHandle: `h-${name}` }, ...spec },
  });

function found(volume: PersistentVolume): AttachableVolume {
  const attachable = attachableOf(volume);
  if (attachable === undefined) throw new TypeError(nameOf(volume));
  return attachable;
}

const A = found(aVolume('a'));

interface NodeFacts {
  readonly inUse?: readonly AttachableVolume[];
  readonly attached?: readonly { name: string; devicePath: string }[];
  readonly ready?: string;
  readonly taints?: JsonObject[];
}

const aNode = ({ inUse = [], attached = [], ready = 'True', taints = [] }: NodeFacts = {}): Node =>
  decodedAs(NODES, {
    metadata: { name: 'n', annotations: { [MANAGED]: 'true' } },
    spec: { taints },
    status: {
      conditions: [{ type: 'Ready', status: ready }],
      volumesInUse: inUse.map(({ uniqueName }) => uniqueName),
      volumesAttached: [...attached],
    },
  });

interface AttachmentFacts {
  readonly attached?: boolean;
  readonly attachError?: string;
  readonly deleting?: boolean;
  readonly requested?: string;
  readonly node?: string;
  readonly name?: string;
  readonly created?: string;
}

function anAttachment(volume: AttachableVolume, facts: AttachmentFacts = {}): VolumeAttachment {
  const { attached = false, attachError, deleting = false, requested, node = 'n', created = ago(1) } = facts;
  const { driver, source } = volume;
  return decodedAs(VOLUME_ATTACHMENTS, {
    metadata: {
      name: facts.name ?? attachmentOf(volume, node),
      creationTimestamp: created,
      ...(deleting ? { deletionTimestamp: ago(1) } : {}),
      ...(requested === undefined ? {} : { annotations: { [DETACH_REQUESTED]: requested } }),
    },
    spec: { attacher: driver, nodeName: node, source: { ...source } },
    status: { attached, ...(attachError === undefined ? {} : { attachError: { message: attachError } }) },
  });
}

const aPod = (name: string, namespace = 'here', more: JsonObject = {}): Pod =>
  decodedAs(PODS, { metadata: { name, namespace }, spec: { nodeName: 'n', containers: [] }, ...more });

const reported = [{ name: A.uniqueName, devicePath: '' }];
const attached = { attached: true };
const lost = { ready: 'Unknown', inUse: [A], attached: reported };
const OFF = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];

/** The steps of a plan as words. */
function steps(plan: NodePlan): string[] {
  return [
    ...plan.cancel.map(() => 'cancel'),
    ...plan.attached.map(({ volume }) => `tell ${volume.title}`),
    ...(plan.volumesAttached === undefined ? [] : [`list ${plan.volumesAttached.map(({ name }) => name).join(' ')}`]),
    ...plan.detach.map(() => 'detach'),
    ...plan.request.map(() => 'request'),
    ...plan.waits.map((wait) => `in ${wait / 1000} s`),
  ];
}

test.each<[string, NodeFacts | undefined, VolumeAttachment[], boolean, string[]]>([
  ['waits for the driver', {}, [anAttachment(A)], true, []],
  ['lists an attached volume once', {}, [anAttachment(A, attached)], true, ['tell a', `list ${A.uniqueName}`]],
  ['keeps a list that is up to date', { attached: reported }, [anAttachment(A, attached)], true, []],
  ['removes a volume without a VolumeAttachment from the list', { attached: reported }, [], true, ['list ']],
  [
    'removes a volume that is being detached from the list',
    { attached: reported },
    [anAttachment(A, { ...attached, deleting: true })],
    true,
    ['list '],
  ],
  [
    'keeps volumes of other plugins on the list',
    { attached: [{ name: 'example/x/y', devicePath: '/dev/x' }] },
    [anAttachment(A, attached)],
    true,
    ['tell a', `list example/x/y ${A.uniqueName}`],
  ],
  [
    'detaches an unneeded volume after removing it from the list',
    { attached: reported },
    [anAttachment(A, attached)],
    false,
    ['list ', 'detach'],
  ],
  ['detaches an unneeded volume whose attachment is unknown', {}, [anAttachment(A)], false, ['detach']],
  ['does not detach a volume twice', {}, [anAttachment(A, { deleting: true })], false, []],
  ['keeps a volume that the node uses', { inUse: [A], attached: reported }, [anAttachment(A, attached)], false, []],
  [
    'starts to wait for a lost node that uses the volume',
    lost,
    [anAttachment(A, attached)],
    false,
    ['request', 'in 360 s'],
  ],
  [
    'waits for a lost node for six minutes',
    lost,
    [anAttachment(A, { ...attached, requested: ago(100) })],
    false,
    ['in 260 s'],
  ],
  [
    'force-detaches after six minutes',
    lost,
    [anAttachment(A, { ...attached, requested: ago(360) })],
    false,
    ['list ', 'detach'],
  ],
  [
    'keeps a volume in use by a node that came back',
    { ...lost, ready: 'True' },
    [anAttachment(A, { ...attached, requested: ago(999) })],
    false,
    [],
  ],
  [
    'cancels the wait when a pod needs the volume again',
    lost,
    [anAttachment(A, { ...attached, requested: ago(999) })],
    true,
    ['cancel'],
  ],
  [
    'detaches at once from an out-of-service node',
    { ...lost, taints: OFF },
    [anAttachment(A, attached)],
    false,
    ['list ', 'detach'],
  ],
  ['waits for a deleted node', undefined, [anAttachment(A, attached)], false, ['request', 'in 360 s']],
  [
    'detaches from a deleted node after six minutes',
    undefined,
    [anAttachment(A, { ...attached, requested: ago(361) })],
    false,
    ['detach'],
  ],
  ['keeps volumes of pods whose node was deleted', undefined, [anAttachment(A, attached)], true, []],
  ['ignores VolumeAttachments of other owners', {}, [anAttachment(A, { ...attached, name: 'mine' })], false, []],
])('reconciliation of a node %s', (_, facts, attachments, isNeeded, expected) => {
  const node = facts === undefined ? undefined : aNode(facts);
  const wanted = isNeeded ? [{ volume: A, pods: [aPod('p')] }] : [];
  const known = new Map([[attachmentOf(A, 'n'), A]]);
  expect(steps(planNode({ name: 'n', node, attachments, known, wanted }, NOW))).toEqual(expected);
});

test('detaches a listed volume whose PersistentVolume was deleted', () => {
  const node = aNode({ attached: reported });
  const state = { name: 'n', node, attachments: [anAttachment(A, attached)], known: new Map(), wanted: [] };
  expect(steps(planNode(state, NOW))).toEqual(['list ', 'detach']);
});

const SHARED = found(aVolume('s', { accessModes: ['ReadWriteMany'] }));
test.each<[string, AttachableVolume, VolumeAttachment[], ReturnType<typeof attachStep>]>([
  ['attaches to a node if it is detached everywhere', A, [], { step: 'create' }],
  ['is refused to a second node', A, [anAttachment(A, { ...attached, node: 'm' })], { step: 'refuse', nodes: ['m'] }],
  [
    'is refused to a second node until it is detached',
    A,
    [anAttachment(A, { ...attached, node: 'm', deleting: true })],
    { step: 'refuse', nodes: ['m'] },
  ],
  ['waits while another node attaches it', A, [anAttachment(A, { node: 'm' })], { step: 'wait' }],
  [
    'attaches elsewhere after another node failed to attach it',
    A,
    [anAttachment(A, { node: 'm', attachError: 'no' })],
    { step: 'create' },
  ],
  [
    'waits while a failed attachment is being detached',
    A,
    [anAttachment(A, { node: 'm', attachError: 'no', deleting: true })],
    { step: 'wait' },
  ],
  [
    'attaches to several nodes if its access modes allow it',
    SHARED,
    [anAttachment(SHARED, { ...attached, node: 'm' })],
    { step: 'create' },
  ],
])('a volume %s', (_, volume, others, expected) => {
  expect(attachStep(volume, others)).toEqual(expected);
});

test.each<[string[], boolean]>([
  [['ReadWriteOnce'], true],
  [['ReadWriteOncePod'], true],
  [['ReadWriteOnce', 'ReadOnlyMany'], false],
  [['ReadWriteMany'], false],
  [[], false],
])('a volume with the access modes %j is exclusive to one node: %s', (accessModes, expected) => {
  expect(found(aVolume('v', { accessModes })).isExclusive).toBe(expected);
});

describe('volumes of in-tree plugins', () => {
  test('maps an in-tree PersistentVolume to its CSI driver', () => {
    const spec = { accessModes: ['ReadWriteOnce'], awsElasticBlockStore: { volumeID: 'vol-1' } };
    const volume = decodedAs(PERSISTENT_VOLUMES, { metadata: { name: 'v' }, spec });
    expect(attachableOf(volume)).toMatchObject({
      uniqueName: 'kubernetes.io/csi/ebs.csi.aws.com^vol-1',
      source: { persistentVolumeName: 'v' },
    });
  });

  test('attaches an inline in-tree volume with its spec, exclusively', () => {
    expect(attachableInline({ name: 'x', awsElasticBlockStore: { volumeID: 'vol-1' } })).toMatchObject({
      title: 'ebs.csi.aws.com-vol-1',
      isExclusive: true,
      source: { inlineVolumeSpec: { csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' } } },
    });
  });

  test('skips an inline volume without a CSI driver', () => {
    expect(attachableInline({ name: 'x', awsElasticBlockStore: { volumeID: 'aws://zone' } })).toBeUndefined();
    expect(attachableInline({ name: 'x', emptyDir: {} })).toBeUndefined();
    expect(attachableInline({ name: 'x', csi: { driver: 'csi.example.com' } })).toBeUndefined();
  });
});

const running = { containerStatuses: [{ name: 'c', state: { running: {} } }] };
const ended = { containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 0 } } }] };
const deleted = { metadata: { name: 'p', namespace: 'here', deletionTimestamp: ago(1) } };
test.each<[string, JsonObject, boolean]>([
  ['runs', { status: { phase: 'Running', ...running } }, false],
  ['succeeded', { status: { phase: 'Succeeded' } }, true],
  ['failed', { status: { phase: 'Failed' } }, true],
  ['is being deleted and runs', { ...deleted, status: { phase: 'Running', ...running } }, false],
  ['is being deleted and has ended', { ...deleted, status: { phase: 'Running', ...ended } }, true],
  ['is being deleted and never started', { ...deleted, status: { phase: 'Pending' } }, true],
])('computes whether a pod that %s no longer needs volumes', (_, more, expected) => {
  expect(isTerminated(aPod('p', 'here', more))).toBe(expected);
});

test.each<[Pod[], string]>([
  [[], "Volume is already exclusively attached to one node and can't be attached to another"],
  [[aPod('x'), aPod('y')], 'Volume is already used by pod(s) x, y'],
  [[aPod('x'), aPod('z', 'there')], 'Volume is already used by pod(s) x and 1 pod(s) in different namespaces'],
  [[aPod('z', 'there')], 'Volume is already used by 1 pod(s) in different namespaces'],
])('lists only users of the same namespace in the multi-attach event (%#)', (users, text) => {
  expect(multiAttach('a', aPod('p'), users)).toEqual({
    type: 'Warning',
    reason: 'FailedAttachVolume',
    message: `Multi-Attach error for volume "a" ${text}`,
  });
});

test.each<[string, AttachmentFacts, ReturnType<typeof outcomeOf>]>([
  ['is attached', attached, {}],
  ['failed', { attachError: 'no space' }, { error: 'no space' }],
  ['is being deleted', { deleting: true }, { error: 'volume attachment is being deleted' }],
  ['has time', { created: ago(30) }, { wait: 90_000 }],
  [
    'has no time left',
    { created: ago(120) },
    { error: 'timed out waiting for external-attacher of csi.example.com CSI driver to attach volume h-a' },
  ],
])('computes the outcome of an attachment that %s', (_, facts, expected) => {
  expect(outcomeOf(anAttachment(A, facts), A, NOW)).toEqual(expected);
});
