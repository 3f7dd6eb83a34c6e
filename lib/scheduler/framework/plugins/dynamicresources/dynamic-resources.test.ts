import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import {
  aDevice,
  aDeviceClass,
  allocated,
  anAlternative,
  aRequest,
  aResourceClaim,
  aSlice,
  cel,
} from '#lib/helpers/dynamic-resource-allocation/testing.ts';
import { conflict } from '#lib/machinery/errors.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at } from '#lib/machinery/unstructured.ts';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { filterOn, isQueuedOn, scoresOn } from '../../../testing/extension-points.ts';
import { aHandle, aNodeInfo, aPod, aPodInfo } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import type { Handle, Plugin } from '../../interface.ts';
import { SKIP } from '../../status.ts';
import { dynamicResourcesArgs, validateDynamicResourcesArgs } from './args.ts';
import { dynamicResources } from './dynamic-resources.ts';

const NOW = '2023-11-14T22:13:20Z';

interface World {
  readonly claims: readonly JsonObject[];
  readonly slices?: readonly JsonObject[];
  readonly classes?: readonly JsonObject[];
  readonly args?: Json;
  /** Called before each write. */
  readonly onWrite?: (objects: Map<string, JsonObject>) => void;
  /** Changes by other clients, made each time the clock advances. */
  readonly onSleep?: (objects: Map<string, JsonObject>) => void;
}

interface Made {
  readonly plugin: Plugin;
  /** The server's objects. Listers keep returning the initial ones. */
  readonly server: Map<string, JsonObject>;
  readonly events: string[];
  readonly settled: () => Promise<unknown>;
}

function make({
  claims,
  slices = [aSlice('s', [aDevice('d')])],
  classes = [aDeviceClass()],
  args = {},
  onWrite,
  onSleep,
}: World): Made {
  const server = new Map(claims.map((claim) => [nameOf(claim), claim]));
  const [events, background]: [string[], Promise<void>[]] = [[], []];
  let version = 1;
  const clock = new ManualClock();
  clock.sleep = async (milliseconds) => {
    onSleep?.(server);
    clock.advance(milliseconds);
  };
  const client: Client = {
    ...aHandle().client,
    get: async ({ name }) => server.get(name),
    async update({ name }, object) {
      onWrite?.(server);
      if (at(server.get(name), 'metadata')?.['resourceVersion'] !== at(object, 'metadata')?.['resourceVersion'])
        throw conflict({ group: 'resource.k8s.io', resource: 'resourceclaims' }, name, 'changed');
      const written = { ...object, metadata: { ...at(object, 'metadata'), resourceVersion: `${++version}` } };
      server.set(name, written);
      return written;
    },
  };
  const handle: Handle = {
    ...aHandle({ client, clock, objects: { resourceclaims: claims, resourceslices: slices, deviceclasses: classes } }),
    inBackground: (work) => void background.push(work),
    record: (_, { message }) => void events.push(message),
  };
  const plugin = dynamicResources(dynamicResourcesArgs.parse(args), handle);
  return { plugin, server, events, settled: () => Promise.all(background) };
}

const using = (...claims: string[]): JsonObject => ({
  resourceClaims: claims.map((name) => ({ name, resourceClaimName: name })),
});
const n = aNodeInfo({ name: 'n', labels: { zone: 'z' } });
const refusal = (reason: string) => ({ code: 'UnschedulableAndUnresolvable', reasons: [reason] });
const one = aResourceClaim('c', [aRequest()]);
const onlyAt = (zone: string): JsonObject => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
});
const placed = (zone: string, more: JsonObject = {}): JsonObject => ({
  ...one,
  status: { allocation: { devices: { results: [] }, nodeSelector: onlyAt(zone) }, ...more },
});
const byTemplate: JsonObject = { resourceClaims: [{ name: 'c', resourceClaimTemplateName: 't' }] };
const told = (claim: JsonObject): JsonObject => ({ resourceClaimStatuses: [{ name: 'c', ...claim }] });
const owned = (uid: string): JsonObject => ({
  ...one,
  metadata: {
    namespace: 'default',
    name: 'c',
    uid: 'u',
    resourceVersion: '1',
    ownerReferences: [{ kind: 'Pod', name: 'pod', uid, controller: true }],
  },
});

test.each<[string, Pod, JsonObject[], string | undefined]>([
  ['no claims', aPod(), [], undefined],
  ['a claim', aPod({ spec: using('c') }), [one], undefined],
  ['a missing claim', aPod({ spec: using('c') }), [], 'could not find ResourceClaim "default/c"'],
  [
    'a claim being deleted',
    aPod({ spec: using('c') }),
    [{ ...one, metadata: { namespace: 'default', name: 'c', deletionTimestamp: NOW } }],
    'resourceclaim "c" is being deleted',
  ],
  [
    'a claim from a template that does not exist yet',
    aPod({ spec: byTemplate }),
    [],
    'pod "default/pod": ResourceClaim not created yet',
  ],
  [
    'a generated claim of the pod',
    aPod({ spec: byTemplate, status: told({ resourceClaimName: 'c' }) }),
    [owned('pod')],
    undefined,
  ],
  [
    'a generated claim of another pod',
    aPod({ spec: byTemplate, status: told({ resourceClaimName: 'c' }) }),
    [owned('x')],
    'ResourceClaim default/c was not created for Pod default/pod (Pod is not owner)',
  ],
  ['a template that needs no claim', aPod({ spec: byTemplate, status: told({}) }), [], undefined],
])('decides in PreEnqueue whether to queue a pod: %s', (_, pod, claims, reason) => {
  const { plugin } = make({ claims });
  expect(plugin.preEnqueue?.(aPodInfo())).toBeUndefined();
  const status = plugin.preFilter?.(new CycleState(), { ...aPodInfo(), pod }, [])?.status;
  const queued = plugin.preEnqueue?.({ ...aPodInfo(), pod });
  expect(queued).toEqual(reason === undefined ? undefined : refusal(reason));
  if (reason !== undefined) expect(status).toEqual(refusal(reason));
});

test.each<[string, World, unknown]>([
  ['free devices', { claims: [one] }, undefined],
  ['no devices', { claims: [one], slices: [] }, refusal('cannot allocate all claims')],
  [
    'devices allocated to another claim',
    { claims: [one, allocated(aResourceClaim('o', [aRequest()]), ['d'])] },
    refusal('cannot allocate all claims'),
  ],
  ['the devices already allocated to the claim', { claims: [placed('z')] }, undefined],
  [
    'the claim’s devices on another node',
    { claims: [placed('y')] },
    refusal('resourceclaim not available on the node'),
  ],
  ['an unknown device class', { claims: [one], classes: [] }, refusal('request r: device class class does not exist')],
  [
    'an unknown device class of an alternative',
    { claims: [aResourceClaim('c', [{ name: 'r', firstAvailable: [anAlternative('a', { deviceClassName: 'x' })] }])] },
    refusal('request r/a: device class x does not exist'),
  ],
  [
    'a request of an unknown type',
    { claims: [aResourceClaim('c', [{ name: 'r' }])] },
    refusal('resource claim default/c, request r: unknown request type'),
  ],
  [
    'a selector that fails',
    { claims: [aResourceClaim('c', [aRequest('r', { selectors: [cel('device.attributes["x.y"].z')] })])] },
    { code: 'Error', reasons: ['claim default/c: selector #0: CEL runtime error: no such key: z'] },
  ],
  [
    'invalid pools',
    { claims: [one], slices: [aSlice('s', [aDevice('d'), aDevice('d')])] },
    refusal('invalid resource pools were encountered'),
  ],
])('filters a node with %s', (_, world, expected) => {
  expect(filterOn(make(world).plugin, aPod({ spec: using('c') }), n)).toEqual(expected);
});

test('skips a pod without claims', () => {
  expect(filterOn(make({ claims: [] }).plugin, aPod(), n)).toEqual(SKIP);
});

test('limits a search to one second by default', () => {
  expect(dynamicResourcesArgs.parse({}).filterTimeout).toBe(1_000_000_000n);
});

test('reports a timed-out search as an error of that node', () => {
  const clock = new ManualClock();
  clock.monotonic = () => performance.now() * 1e9;
  const handle = aHandle({
    clock,
    client: { ...aHandle().client },
    objects: { resourceclaims: [one], deviceclasses: [aDeviceClass()] },
  });
  const plugin = dynamicResources(dynamicResourcesArgs.parse({ filterTimeout: '1ms' }), handle);
  const expected = { code: 'Error', reasons: ['node n: timed out trying to allocate devices'] };
  expect(filterOn(plugin, aPod({ spec: using('c') }), n)).toEqual(expected);
});

test('scores earlier alternatives higher', () => {
  const claim = aResourceClaim('c', [
    { name: 'r', firstAvailable: [anAlternative('two', { count: 2 }), anAlternative('one')] },
  ]);
  const on = (nodeName: string, ...devices: string[]): JsonObject =>
    aSlice(
      nodeName,
      devices.map((name) => aDevice(name)),
      { nodeName, pool: { name: nodeName, generation: 1, resourceSliceCount: 1 } },
    );
  const { plugin } = make({ claims: [claim], slices: [on('a', 'x', 'y'), on('b', 'z')] });
  const [state, pod] = [new CycleState(), aPodInfo({ spec: using('c') })];
  const nodes = ['a', 'b'].map((name) => aNodeInfo({ name }));
  plugin.preFilter?.(state, pod, nodes);
  expect(nodes.map((node) => plugin.filter?.(state, pod, node))).toEqual([undefined, undefined]);
  const scores = nodes.map((node) => plugin.score?.(state, pod, node));
  expect(scores).toEqual([8, 7]);
  expect(scoresOn(plugin, aPod(), nodes)).toEqual([0, 0]);
});

function reserved(
  { plugin }: Made,
  name: string,
  ...claims: string[]
): { state: CycleState; pod: ReturnType<typeof aPodInfo>; refused: unknown } {
  const [state, pod] = [new CycleState(), aPodInfo({ name, spec: using(...claims) })];
  const refused =
    plugin.preFilter?.(state, pod, [n]).status ?? plugin.filter?.(state, pod, n) ?? plugin.reserve?.(state, pod, 'n');
  return { state, pod, refused };
}

describe('DynamicResources: a reservation', () => {
  const other = aResourceClaim('o', [aRequest()]);

  test('keeps its devices from other claims until it is released', () => {
    const made = make({ claims: [one, other] });
    const { state, pod, refused } = reserved(made, 'p', 'c');
    expect(refused).toBeUndefined();
    expect(reserved(made, 'q', 'o').refused).toEqual(refusal('cannot allocate all claims'));
    expect(reserved(made, 'q', 'c').refused).toEqual(
      refusal('resource claim default/c is in the process of being allocated'),
    );
    made.plugin.unreserve?.(state, pod, 'n');
    expect(reserved(made, 'q', 'o').refused).toBeUndefined();
  });

  test('is written, and known before listers return it', async () => {
    const made = make({ claims: [one, other] });
    const { state, pod } = reserved(made, 'p', 'c');
    expect(await made.plugin.preBind?.(state, pod, 'n')).toBeUndefined();
    expect(made.server.get('c')).toMatchObject({
      metadata: { finalizers: ['resource.kubernetes.io/delete-protection'] },
      status: {
        allocation: { devices: { results: [{ request: 'r', device: 'd' }] }, allocationTimestamp: NOW },
        reservedFor: [{ resource: 'pods', name: 'p', uid: 'p' }],
      },
    });
    expect(reserved(made, 'q', 'o').refused).toEqual(refusal('cannot allocate all claims'));
    const second = reserved(made, 'q', 'c');
    expect(second.refused).toBeUndefined();
    expect(await made.plugin.preBind?.(second.state, second.pod, 'n')).toBeUndefined();
    expect(made.server.get('c')).toMatchObject({ status: { reservedFor: [{ name: 'p' }, { name: 'q' }] } });
  });

  test('is written on top of concurrent changes by other clients', async () => {
    let writes = 0;
    const onWrite = (server: Map<string, JsonObject>): void => {
      if (writes++ > 0) return;
      server.set('c', {
        ...one,
        metadata: { ...one.metadata, labels: { by: 'another' }, resourceVersion: '77' },
      });
    };
    const made = make({ claims: [one], onWrite });
    const { state, pod } = reserved(made, 'p', 'c');
    await made.plugin.preBind?.(state, pod, 'n');
    expect(made.server.get('c')).toMatchObject({
      metadata: { labels: { by: 'another' } },
      status: { reservedFor: [{ name: 'p' }] },
    });
  });

  test.each<[string, JsonObject, string]>([
    [
      'is deleted',
      { ...one, metadata: { ...one.metadata, deletionTimestamp: NOW, resourceVersion: '77' } },
      'claim default/c got deleted in the meantime',
    ],
    [
      'gets devices on another node',
      { ...placed('y'), metadata: { ...one.metadata, resourceVersion: '77' } },
      'claim default/c got allocated elsewhere in the meantime',
    ],
  ])('frees its devices if the claim %s before the write', async (_, meanwhile, message) => {
    const made = make({ claims: [one, other], onWrite: (server) => void server.set('c', meanwhile) });
    const { state, pod } = reserved(made, 'p', 'c');
    await expect(made.plugin.preBind?.(state, pod, 'n')).rejects.toThrow(message);
    made.plugin.unreserve?.(state, pod, 'n');
    expect(reserved(made, 'q', 'o').refused).toBeUndefined();
  });

  test('is released if the pod cannot be bound', async () => {
    const made = make({ claims: [one] });
    const { state, pod } = reserved(made, 'p', 'c');
    await made.plugin.preBind?.(state, pod, 'n');
    made.plugin.unreserve?.(state, pod, 'n');
    await made.settled();
    expect(made.server.get('c')).toMatchObject({
      status: { reservedFor: [], allocation: { devices: { results: [{ device: 'd' }] } } },
    });
  });
});

describe('DynamicResources: devices that no node can use for the pod', () => {
  const after = async (claim: JsonObject): Promise<[unknown, JsonObject | undefined]> => {
    const { plugin, server } = make({ claims: [claim] });
    const [state, pod] = [new CycleState(), aPodInfo({ spec: using('c') })];
    plugin.preFilter?.(state, pod, [n]);
    plugin.filter?.(state, pod, n);
    const { status } = (await plugin.postFilter?.(state, pod, new Map())) ?? {};
    return [status?.reasons, at(server.get('c'), 'status')];
  };

  test.each<[string, JsonObject]>([
    ['no pod uses', placed('y')],
    [
      'only this pod uses',
      placed('y', { reservedFor: [{ resource: 'pods', name: 'pod', uid: 'pod' }], devices: [{ device: 'd' }] }),
    ],
  ])('are released if they belong to a claim that %s', async (_, claim) => {
    expect(await after(claim)).toEqual([['deallocation of ResourceClaim completed'], {}]);
  });

  test.each<[string, JsonObject]>([
    ['are in use by another pod', placed('y', { reservedFor: [{ resource: 'pods', name: 'x', uid: 'x' }] })],
    ['are on a node that fits', placed('z')],
  ])('stay allocated if they %s', async (_, claim) => {
    expect(await after(claim)).toEqual([['still not schedulable'], at(claim, 'status')]);
  });
});

describe('DynamicResources: devices with binding conditions', () => {
  const slices = [aSlice('s', [aDevice('d', { bindingConditions: ['ready'], bindingFailureConditions: ['broken'] })])];
  const say =
    (type: string) =>
    (server: Map<string, JsonObject>): void => {
      const claim = server.get('c') ?? {};
      const conditions = [{ type, status: 'True', reason: 'Why', message: 'so' }];
      const status: JsonObject = {
        ...at(claim, 'status'),
        devices: [{ driver: 'dra.example.com', pool: 'pool', device: 'd', conditions }],
      };
      server.set('c', { ...claim, status });
    };
  const bind = async (onSleep: World['onSleep'] = () => {}): Promise<[unknown, Made]> => {
    const made = make({ claims: [one], slices, onSleep, args: { bindingTimeout: '20s' } });
    const { state, pod } = reserved(made, 'p', 'c');
    return [await made.plugin.preBind?.(state, pod, 'n'), made];
  };

  test('delay the binding until they are prepared', async () => {
    const [outcome, { events }] = await bind(say('ready'));
    expect(outcome).toBeUndefined();
    expect(events).toEqual(['waiting for binding conditions for device on node n']);
  });

  test.each<[string, World['onSleep'], string]>([
    ['report a failure condition', say('broken'), 'device binding failed: claim=c, reason=Why, message="so"'],
    ['are not prepared in time', undefined, 'device binding timeout: context deadline exceeded'],
  ])('fail the binding if they %s', async (_, onSleep, reason) => {
    expect((await bind(onSleep))[0]).toEqual({ code: 'Error', reasons: [reason] });
  });

  test.each<[string, JsonObject, boolean]>([
    ['just now', { allocationTimestamp: NOW }, true],
    ['long ago', { allocationTimestamp: '2020-01-01T00:00:00Z' }, false],
  ])('allocated %s, with %j, are usable: %s', (_, since, isUseful) => {
    const results = [
      { request: 'r', driver: 'dra.example.com', pool: 'pool', device: 'd', bindingConditions: ['ready'] },
    ];
    const claim = { ...one, status: { allocation: { devices: { results }, ...since } } };
    const found = filterOn(make({ claims: [claim] }).plugin, aPod({ spec: using('c') }), n);
    expect(found).toEqual(isUseful ? undefined : refusal('resourceclaim not available on the node'));
  });
});

describe('DynamicResources: queueing hints', () => {
  const { plugin } = make({ claims: [one, aResourceClaim('x', [])] });
  const pod = aPod({ spec: using('c') });
  const elsewhere = aResourceClaim('x', []);

  test.each<[string, Parameters<typeof isQueuedOn>[1], Parameters<typeof isQueuedOn>[3], boolean]>([
    ['its claim is added', ['ResourceClaim', 'Add'], { after: one }, true],
    ['its claim gets devices', ['ResourceClaim', 'Update'], { before: one, after: placed('z') }, true],
    [
      'a label of its claim changes',
      ['ResourceClaim', 'Update'],
      { before: one, after: { ...one, metadata: { ...one.metadata, labels: {} } } },
      false,
    ],
    ['another claim is added', ['ResourceClaim', 'Add'], { after: elsewhere }, false],
    [
      'another claim releases devices',
      ['ResourceClaim', 'Update'],
      { before: allocated(elsewhere, ['d']), after: elsewhere },
      true,
    ],
    ['its claims are generated', ['Pod', 'UpdatePodGeneratedResourceClaim'], { after: pod }, true],
    [
      'the claims of another pod are generated',
      ['Pod', 'UpdatePodGeneratedResourceClaim'],
      { after: aPod({ name: 'y', spec: using('c') }) },
      false,
    ],
    ['devices are added', ['ResourceSlice', 'Add'], {}, true],
    ['a class changes', ['DeviceClass', 'Update'], {}, true],
  ])('decide whether to retry a refused pod when %s', (_, event, change, expected) => {
    expect(isQueuedOn(plugin, event, pod, change)).toBe(expected);
  });
});

test.each<[JsonObject, string[]]>([
  [{}, []],
  [{ filterTimeout: '0s', bindingTimeout: '1s' }, []],
  [{ filterTimeout: '-1s' }, ['args.filterTimeout: Invalid value: "-1s": must be zero or positive']],
  [{ bindingTimeout: '10ms' }, ['args.bindingTimeout: Invalid value: "10ms": must be at least 1 second']],
])('validates the arguments %j: %j', (args, expected) => {
  expect(validateDynamicResourcesArgs(dynamicResourcesArgs.parse(args), FieldPath.of('args')).map(errorText)).toEqual(
    expected,
  );
});
