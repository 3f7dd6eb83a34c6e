import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { filterOn } from '../../../testing/extension-points.ts';
import { aHandle, aNodeInfo, aPod, aPodInfo, type HandleOf } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import type { Plugin } from '../../interface.ts';
import { SKIP } from '../../status.ts';
import { validateVolumeBindingArgs, volumeBindingArgs } from './args.ts';
import { aBoundClaim, aClaim, aClass, aVolume, onNodes, using } from './testing.ts';
import { volumeBinding } from './volume-binding.ts';

const refusal = (...reasons: string[]) => ({ code: 'UnschedulableAndUnresolvable', reasons });
const NODE = "node(s) didn't match PersistentVolume's node affinity";
const BIND = "node(s) didn't find available persistent volumes to bind";
const SPACE = 'node(s) did not have enough free storage';
const LOST = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

const plugin = (objects: HandleOf['objects']): Plugin =>
  volumeBinding(volumeBindingArgs.parse({}), aHandle({ objects: objects ?? {} }));

const classes = [
  aClass('local'),
  aClass('gold', { provisioner: 'csi.example.com' }),
  aClass('zoned', {
    provisioner: 'csi.example.com',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'host', values: ['b'] }] }],
  }),
  aClass('now', { volumeBindingMode: 'Immediate' }),
  { metadata: { name: 'modeless' } },
];
const owned = (uid: string): JsonObject => ({ ownerReferences: [{ kind: 'Pod', name: 'pod', uid, controller: true }] });
const claims = [
  aBoundClaim('on-a', 'va'),
  aBoundClaim('on-b', 'vb'),
  aBoundClaim('anywhere', 'v'),
  aBoundClaim('lost', 'gone'),
  aBoundClaim('was-lost', 'gone', { phase: 'Lost' }),
  aClaim('waits'),
  aClaim('waits-too', { size: '2Gi' }),
  aClaim('huge', { size: '9Ti' }),
  aClaim('gold', { spec: { storageClassName: 'gold' } }),
  aClaim('zoned', { spec: { storageClassName: 'zoned' } }),
  aClaim('for-a', { spec: { storageClassName: 'gold' }, annotations: { 'volume.kubernetes.io/selected-node': 'a' } }),
  aClaim('for-b', { spec: { storageClassName: 'gold' }, annotations: { 'volume.kubernetes.io/selected-node': 'b' } }),
  aClaim('now', { spec: { storageClassName: 'now' } }),
  aClaim('prebound', { spec: { volumeName: 'v' } }),
  aClaim('modeless', { spec: { storageClassName: 'modeless' } }),
  aClaim('classless', { spec: { storageClassName: '' } }),
  aClaim('going', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
  aClaim('pod-own', { spec: { storageClassName: 'gold' }, metadata: owned('pod') }),
  aClaim('pod-foreign', { metadata: owned('other') }),
];
const volumes = [
  aVolume('v', { phase: 'Bound', spec: { claimRef: { namespace: 'default', name: 'anywhere' } } }),
  aVolume('va', { phase: 'Bound', spec: { ...onNodes('a'), claimRef: { namespace: 'default', name: 'on-a' } } }),
  aVolume('vb', { phase: 'Bound', spec: { ...onNodes('b'), claimRef: { namespace: 'default', name: 'on-b' } } }),
  aVolume('free-a', { spec: onNodes('a') }),
  aVolume('large-a', { spec: { ...onNodes('a'), capacity: { storage: '2Gi' } } }),
];
const world = { persistentvolumeclaims: claims, persistentvolumes: volumes, storageclasses: classes };
const a = aNodeInfo({ name: 'a', labels: { host: 'a' } });
const b = aNodeInfo({ name: 'b', labels: { host: 'b' } });
const ephemeral = (name: string): JsonObject => ({ volumes: [{ name, ephemeral: {} }] });

test.each<[string, JsonObject, unknown]>([
  ['no claims', { volumes: [{ name: 'v', emptyDir: {} }] }, SKIP],
  ['a claim that is not there', using('waits', 'x'), refusal('persistentvolumeclaim "x" not found')],
  [
    'an own claim that is not there',
    ephemeral('x'),
    refusal('waiting for ephemeral volume controller to create the persistentvolumeclaim "pod-x"'),
  ],
  [
    'an own claim that is another’s',
    ephemeral('foreign'),
    refusal('PVC default/pod-foreign was not created for pod default/pod (pod is not owner)'),
  ],
  [
    'a claim that lost its volume',
    using('was-lost'),
    refusal('persistentvolumeclaim "was-lost" bound to non-existent persistentvolume "gone"'),
  ],
  ['a claim that goes', using('going'), refusal('persistentvolumeclaim "going" is being deleted')],
  ['a claim that should be bound', using('now'), refusal('pod has unbound immediate PersistentVolumeClaims')],
  ['a claim that names its volume', using('prebound'), refusal('pod has unbound immediate PersistentVolumeClaims')],
  ['a claim without class', using('classless'), refusal('pod has unbound immediate PersistentVolumeClaims')],
  [
    'a class without a mode',
    using('modeless'),
    { code: 'Error', reasons: ['VolumeBindingMode not set for StorageClass "modeless"'] },
  ],
])('before nodes are looked at: %s', (_, spec, expected) => {
  expect(filterOn(plugin(world), aPod({ spec }), a)).toEqual(expected);
});

test.each<[string, JsonObject, unknown, unknown]>([
  ['a bound claim', using('on-a'), undefined, refusal(NODE)],
  ['a bound claim of anywhere', using('anywhere'), undefined, undefined],
  ['two that are bound apart', using('on-a', 'on-b'), refusal(NODE), refusal(NODE)],
  ['one whose volume is gone', using('lost'), refusal(LOST), refusal(LOST)],
  ['one that finds a volume', using('waits'), undefined, refusal(BIND)],
  ['two that find volumes', using('waits-too', 'waits'), undefined, refusal(BIND)],
  ['one too large', using('huge'), refusal(BIND), refusal(BIND)],
  ['bound here, none there', using('on-b', 'waits'), refusal(NODE), refusal(BIND)],
  ['bound there, too large', using('on-b', 'huge'), refusal(NODE, BIND), refusal(BIND)],
  ['lost, too large', using('lost', 'huge'), refusal(BIND, LOST), refusal(BIND, LOST)],
  ['one that is to be made', using('gold'), undefined, undefined],
  ['one that is to be made in a zone', using('zoned'), refusal(BIND), undefined],
  ['one that is being made', using('for-a'), undefined, refusal(BIND)],
  ['two that are being made apart', using('for-a', 'for-b'), refusal(BIND), refusal(BIND)],
  ['one of its own', ephemeral('own'), undefined, undefined],
])('on two nodes: %s', (_, spec, onA, onB) => {
  expect(filterOn(plugin(world), aPod({ spec }), a)).toEqual(onA);
  expect(filterOn(plugin(world), aPod({ spec }), b)).toEqual(onB);
});

describe('the capacity that a driver reports', () => {
  const aDriver = (storageCapacity?: boolean): JsonObject => ({
    metadata: { name: 'csi.example.com' },
    spec: storageCapacity === undefined ? {} : { storageCapacity },
  });
  const here: JsonObject = { nodeTopology: { matchLabels: { host: 'a' } } };
  const aCapacity = (more: JsonObject): JsonObject => ({
    metadata: { namespace: 'x', name: 'c' },
    storageClassName: 'gold',
    ...here,
    ...more,
  });

  test.each<[string, JsonObject[], JsonObject[], boolean]>([
    ['no driver', [], [], true],
    ['a driver that does not say', [aDriver()], [], true],
    ['a driver that says no', [aDriver(false)], [], true],
    ['nothing', [aDriver(true)], [], false],
    ['enough', [aDriver(true)], [aCapacity({ capacity: '1Gi' })], true],
    ['too little', [aDriver(true)], [aCapacity({ capacity: '1Mi' })], false],
    ['no amount', [aDriver(true)], [aCapacity({})], false],
    [
      'enough, but not for one volume',
      [aDriver(true)],
      [aCapacity({ capacity: '9Gi', maximumVolumeSize: '1Mi' })],
      false,
    ],
    ['enough for one volume', [aDriver(true)], [aCapacity({ capacity: '1Mi', maximumVolumeSize: '1Gi' })], true],
    [
      'enough elsewhere',
      [aDriver(true)],
      [aCapacity({ capacity: '9Gi', nodeTopology: { matchLabels: { host: 'b' } } })],
      false,
    ],
    ['enough nowhere', [aDriver(true)], [{ storageClassName: 'gold', capacity: '9Gi' }], false],
    ['enough of another class', [aDriver(true)], [aCapacity({ capacity: '9Gi', storageClassName: 'zoned' })], false],
    [
      'enough in one of two places',
      [aDriver(true)],
      [aCapacity({ capacity: '1Mi' }), aCapacity({ capacity: '2Gi' })],
      true,
    ],
  ])('%s', (_, csidrivers, csistoragecapacities, isEnough) => {
    const found = filterOn(plugin({ ...world, csidrivers, csistoragecapacities }), aPod({ spec: using('gold') }), a);
    expect(found).toEqual(isEnough ? undefined : refusal(SPACE));
  });
});

describe('a migrated in-tree volume', () => {
  const volume = aVolume('old', {
    spec: {
      awsElasticBlockStore: { volumeID: 'vol-1' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z'] }] },
          ],
        },
      },
    },
  });
  const node = aNodeInfo({ name: 'n', labels: { 'topology.ebs.csi.aws.com/zone': 'z' } });
  const migrated = (plugins: string): JsonObject => ({
    metadata: { name: 'n', annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': plugins } },
  });

  test.each<[string, JsonObject[], boolean]>([
    ['its driver, where the node has that', [migrated('kubernetes.io/gce-pd,kubernetes.io/aws-ebs')], true],
    ['itself, where the node has another', [migrated('kubernetes.io/gce-pd')], false],
    ['itself, where nothing is known of the node', [], false],
  ])('is found by the labels of %s', (_, csinodes, isFound) => {
    const objects = { persistentvolumeclaims: [aBoundClaim('c', 'old')], persistentvolumes: [volume], csinodes };
    expect(filterOn(plugin(objects), aPod({ spec: using('c') }), node)).toEqual(isFound ? undefined : refusal(NODE));
  });
});

describe('reservations', () => {
  const reserved = (of: Plugin, pod: string, claim: string, node: typeof a): [CycleState, unknown] => {
    const [state, info] = [new CycleState(), aPodInfo({ name: pod, spec: using(claim) })];
    const { status } = of.preFilter?.(state, info, [node]) ?? {};
    const refused = status ?? of.filter?.(state, info, node) ?? of.reserve?.(state, info, node.name);
    return [state, refused];
  };
  const one = {
    ...world,
    persistentvolumes: [aVolume('free-a', { spec: onNodes('a') })],
    persistentvolumeclaims: [aClaim('c'), aClaim('d'), aClaim('gold', { spec: { storageClassName: 'gold' } })],
  };

  test('is no other pod’s, until it is given back', () => {
    const of = plugin(one);
    const [state, refused] = reserved(of, 'first', 'c', a);
    expect(refused).toBeUndefined();
    expect(reserved(of, 'second', 'd', a)[1]).toEqual(refusal(BIND));
    of.unreserve?.(state, aPodInfo({ name: 'first', spec: using('c') }), 'a');
    expect(reserved(of, 'second', 'd', a)[1]).toBeUndefined();
  });

  test('is where those go that share the claim', () => {
    const of = plugin(one);
    expect(reserved(of, 'first', 'gold', a)[1]).toBeUndefined();
    expect(reserved(of, 'second', 'gold', b)[1]).toEqual(refusal(BIND));
    expect(reserved(of, 'second', 'gold', a)[1]).toBeUndefined();
  });

  test('gives way to what the server has', () => {
    const objects = { ...one };
    const of = volumeBinding(volumeBindingArgs.parse({}), {
      ...aHandle(),
      lister: (name) => aHandle({ objects }).lister(name),
    });
    reserved(of, 'first', 'gold', a);
    objects.persistentvolumeclaims = [
      aClaim('gold', { spec: { storageClassName: 'gold' }, metadata: { resourceVersion: '2' } }),
    ];
    expect(reserved(of, 'second', 'gold', b)[1]).toBeUndefined();
  });

  test('is refused where the claim is another than the one that was looked at', () => {
    const objects = { ...one };
    const of = volumeBinding(volumeBindingArgs.parse({}), {
      ...aHandle(),
      lister: (name) => aHandle({ objects }).lister(name),
    });
    const [state, info] = [new CycleState(), aPodInfo({ spec: using('gold') })];
    of.preFilter?.(state, info, [a]);
    of.filter?.(state, info, a);
    objects.persistentvolumeclaims = [aClaim('gold', { metadata: { resourceVersion: '2' } })];
    expect(of.reserve?.(state, info, 'a')).toEqual({
      code: 'Error',
      reasons: ['"default/gold" is out of sync (stored: 2, assume: 1)'],
    });
  });
});

test.each<[JsonObject, string[]]>([
  [{}, []],
  [{ bindTimeoutSeconds: 0 }, []],
  [
    { bindTimeoutSeconds: -1 },
    ['args.bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value'],
  ],
  [
    { shape: [] },
    [
      'args.shape: Invalid value: []: unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring',
    ],
  ],
])('arguments %j: %j', (args, expected) => {
  expect(validateVolumeBindingArgs(volumeBindingArgs.parse(args), FieldPath.of('args')).map(errorText)).toEqual(
    expected,
  );
});
