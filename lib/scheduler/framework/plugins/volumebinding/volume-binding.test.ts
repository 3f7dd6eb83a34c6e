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
  ['a missing claim', using('waits', 'x'), refusal('persistentvolumeclaim "x" not found')],
  [
    'a missing ephemeral claim',
    ephemeral('x'),
    refusal('waiting for ephemeral volume controller to create the persistentvolumeclaim "pod-x"'),
  ],
  [
    'an ephemeral claim of another pod',
    ephemeral('foreign'),
    refusal('PVC default/pod-foreign was not created for pod default/pod (pod is not owner)'),
  ],
  [
    'a lost claim',
    using('was-lost'),
    refusal('persistentvolumeclaim "was-lost" bound to non-existent persistentvolume "gone"'),
  ],
  ['a claim being deleted', using('going'), refusal('persistentvolumeclaim "going" is being deleted')],
  [
    'an unbound claim with immediate binding',
    using('now'),
    refusal('pod has unbound immediate PersistentVolumeClaims'),
  ],
  [
    'an unbound claim that names its volume',
    using('prebound'),
    refusal('pod has unbound immediate PersistentVolumeClaims'),
  ],
  ['a claim without a class', using('classless'), refusal('pod has unbound immediate PersistentVolumeClaims')],
  [
    'a class without a binding mode',
    using('modeless'),
    { code: 'Error', reasons: ['VolumeBindingMode not set for StorageClass "modeless"'] },
  ],
])('checks in PreFilter a pod with %s', (_, spec, expected) => {
  expect(filterOn(plugin(world), aPod({ spec }), a)).toEqual(expected);
});

test.each<[string, JsonObject, unknown, unknown]>([
  ['a bound claim', using('on-a'), undefined, refusal(NODE)],
  ['a bound claim without node affinity', using('anywhere'), undefined, undefined],
  ['two claims bound on different nodes', using('on-a', 'on-b'), refusal(NODE), refusal(NODE)],
  ['a claim whose volume is gone', using('lost'), refusal(LOST), refusal(LOST)],
  ['a claim that matches a volume', using('waits'), undefined, refusal(BIND)],
  ['two claims that match volumes', using('waits-too', 'waits'), undefined, refusal(BIND)],
  ['a claim that is too large', using('huge'), refusal(BIND), refusal(BIND)],
  ['a bound claim and one that matches no volume there', using('on-b', 'waits'), refusal(NODE), refusal(BIND)],
  ['a bound claim and one that is too large', using('on-b', 'huge'), refusal(NODE, BIND), refusal(BIND)],
  ['a lost claim and one that is too large', using('lost', 'huge'), refusal(BIND, LOST), refusal(BIND, LOST)],
  ['a claim to provision', using('gold'), undefined, undefined],
  ['a claim to provision in a zone', using('zoned'), refusal(BIND), undefined],
  ['a claim being provisioned', using('for-a'), undefined, refusal(BIND)],
  ['two claims being provisioned on different nodes', using('for-a', 'for-b'), refusal(BIND), refusal(BIND)],
  ['an ephemeral claim', ephemeral('own'), undefined, undefined],
])('filters two nodes for a pod with %s', (_, spec, onA, onB) => {
  expect(filterOn(plugin(world), aPod({ spec }), a)).toEqual(onA);
  expect(filterOn(plugin(world), aPod({ spec }), b)).toEqual(onB);
});

describe('VolumeBinding: reported storage capacity', () => {
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
    ['a driver without storageCapacity', [aDriver()], [], true],
    ['a driver with storageCapacity false', [aDriver(false)], [], true],
    ['no reported capacity', [aDriver(true)], [], false],
    ['enough capacity', [aDriver(true)], [aCapacity({ capacity: '1Gi' })], true],
    ['too little capacity', [aDriver(true)], [aCapacity({ capacity: '1Mi' })], false],
    ['a capacity without an amount', [aDriver(true)], [aCapacity({})], false],
    [
      'enough capacity but a smaller maximum volume size',
      [aDriver(true)],
      [aCapacity({ capacity: '9Gi', maximumVolumeSize: '1Mi' })],
      false,
    ],
    [
      'a sufficient maximum volume size',
      [aDriver(true)],
      [aCapacity({ capacity: '1Mi', maximumVolumeSize: '1Gi' })],
      true,
    ],
    [
      'enough capacity on another node',
      [aDriver(true)],
      [aCapacity({ capacity: '9Gi', nodeTopology: { matchLabels: { host: 'b' } } })],
      false,
    ],
    ['enough capacity without a topology', [aDriver(true)], [{ storageClassName: 'gold', capacity: '9Gi' }], false],
    [
      'enough capacity of another class',
      [aDriver(true)],
      [aCapacity({ capacity: '9Gi', storageClassName: 'zoned' })],
      false,
    ],
    [
      'enough capacity in one of two segments',
      [aDriver(true)],
      [aCapacity({ capacity: '1Mi' }), aCapacity({ capacity: '2Gi' })],
      true,
    ],
  ])('checks the capacity: %s', (_, csidrivers, csistoragecapacities, isEnough) => {
    const found = filterOn(plugin({ ...world, csidrivers, csistoragecapacities }), aPod({ spec: using('gold') }), a);
    expect(found).toEqual(isEnough ? undefined : refusal(SPACE));
  });
});

describe('VolumeBinding: a migrated in-tree volume', () => {
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
    ['its CSI driver if the node has it', [migrated('kubernetes.io/gce-pd,kubernetes.io/aws-ebs')], true],
    ['the volume itself if the node has another driver', [migrated('kubernetes.io/gce-pd')], false],
    ['the volume itself if the node has no CSINode', [], false],
  ])('is located by the labels of %s', (_, csinodes, isFound) => {
    const objects = { persistentvolumeclaims: [aBoundClaim('c', 'old')], persistentvolumes: [volume], csinodes };
    expect(filterOn(plugin(objects), aPod({ spec: using('c') }), node)).toEqual(isFound ? undefined : refusal(NODE));
  });
});

describe('VolumeBinding: a reservation', () => {
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

  test('keeps its volume from other pods until it is released', () => {
    const of = plugin(one);
    const [state, refused] = reserved(of, 'first', 'c', a);
    expect(refused).toBeUndefined();
    expect(reserved(of, 'second', 'd', a)[1]).toEqual(refusal(BIND));
    of.unreserve?.(state, aPodInfo({ name: 'first', spec: using('c') }), 'a');
    expect(reserved(of, 'second', 'd', a)[1]).toBeUndefined();
  });

  test('is shared by pods that share the claim', () => {
    const of = plugin(one);
    expect(reserved(of, 'first', 'gold', a)[1]).toBeUndefined();
    expect(reserved(of, 'second', 'gold', b)[1]).toEqual(refusal(BIND));
    expect(reserved(of, 'second', 'gold', a)[1]).toBeUndefined();
  });

  test('yields to the state of the server', () => {
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

  test('is refused if the claim has changed since the check', () => {
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
])('validates the arguments %j: %j', (args, expected) => {
  expect(validateVolumeBindingArgs(volumeBindingArgs.parse(args), FieldPath.of('args')).map(errorText)).toEqual(
    expected,
  );
});
