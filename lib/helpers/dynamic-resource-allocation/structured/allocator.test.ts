import { describe, expect, test } from 'vitest';
import type { AllocationResult, DeviceClass, ResourceClaim, ResourceSlice } from '#lib/api/types/resource.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { finished } from '#lib/machinery/steps.ts';
import {
  aDevice,
  aDeviceClass,
  allocated,
  anAlternative,
  aRequest,
  aResourceClaim,
  aSlice,
  cel,
  DRIVER,
} from '../testing.ts';
import { allocatedState } from './allocated-state.ts';
import { AllocationError } from './allocation-error.ts';
import { Allocator } from './allocator.ts';

interface World {
  readonly slices?: readonly ResourceSlice[];
  readonly claims: readonly ResourceClaim[];
  /** Other claims that already have devices. */
  readonly others?: readonly ResourceClaim[];
  readonly classes?: readonly DeviceClass[];
  readonly node?: string;
}

const devices = (...names: string[]): JsonObject[] => names.map((name) => aDevice(name));

function allocate({
  slices = [aSlice('s', devices('a', 'b'))],
  claims,
  others = [],
  classes = [aDeviceClass()],
  node = 'n',
}: World) {
  const byName = new Map(classes.map((one) => [nameOf(one), one]));
  const allocator = new Allocator({ state: allocatedState(others), slices, deviceClass: (name) => byName.get(name) });
  return finished(allocator.allocate({ name: node, labels: { host: node } }, claims));
}

/** The devices of each claim, by request. */
const found = (world: World): string[][] | undefined =>
  allocate(world)?.map((one) => resultsOf(one).map(({ request, device }) => `${request}:${device}`));

const resultsOf = (allocation: AllocationResult | undefined) => allocation?.devices.results ?? [];

const one = (name: string, exactly: JsonObject = {}, more: JsonObject = {}): ResourceClaim =>
  aResourceClaim(name, [aRequest('r', exactly)], more);
const model = (string: string): JsonObject => ({ attributes: { model: { string } } });
const MODEL = `device.attributes["${DRIVER}"].model`;
const OLD = { name: 'pool', generation: 1, resourceSliceCount: 1 };
const HALF = { name: 'pool', generation: 1, resourceSliceCount: 2 };
const NEW = { name: 'pool', generation: 2, resourceSliceCount: 1 };

test.each<[string, World, string[][] | undefined]>([
  ['nothing without claims', { claims: [] }, []],
  ['the first device', { claims: [one('x')] }, [['r:a']]],
  ['one device for each claim', { claims: [one('x'), one('y')] }, [['r:a'], ['r:b']]],
  ['not more devices than exist', { claims: [one('x'), one('y'), one('z')] }, undefined],
  ['a device that no claim has', { claims: [one('x')], others: [allocated(one('o'), ['a'])] }, [['r:b']]],
  ['several devices for one request', { claims: [one('x', { count: 2 })] }, [['r:a', 'r:b']]],
  ['not more devices than a request can get', { claims: [one('x', { count: 3 })] }, undefined],
  ['all devices', { claims: [one('x', { allocationMode: 'All' })] }, [['r:a', 'r:b']]],
  [
    'no devices for a request for all if one is in use',
    { claims: [one('x', { allocationMode: 'All' })], others: [allocated(one('o'), ['a'])] },
    undefined,
  ],
  [
    'no devices for a request for all without devices',
    { claims: [one('x', { allocationMode: 'All' })], slices: [] },
    undefined,
  ],
  [
    'devices in use for admin access',
    { claims: [one('x', { adminAccess: true })], others: [allocated(one('o'), ['a', 'b'])] },
    [['r:a']],
  ],
  [
    'devices with only admin access',
    { claims: [one('x')], others: [allocated(one('o'), ['a'], { adminAccess: true })] },
    [['r:a']],
  ],
  ['no device twice for admin access', { claims: [one('x', { adminAccess: true, count: 3 })] }, undefined],
  [
    'no devices of another node',
    { claims: [one('x')], slices: [aSlice('s', devices('a'), { nodeName: 'm' })] },
    undefined,
  ],
  ['devices of the node', { claims: [one('x')], slices: [aSlice('s', devices('a'), { nodeName: 'n' })] }, [['r:a']]],
  [
    'devices of nodes with a label',
    {
      claims: [one('x')],
      slices: [
        aSlice('s', devices('a'), {
          nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'host', operator: 'In', values: ['n'] }] }] },
        }),
      ],
    },
    [['r:a']],
  ],
  [
    'devices with their own node',
    {
      claims: [one('x')],
      slices: [
        aSlice('s', [aDevice('a', { nodeName: 'm' }), aDevice('b', { nodeName: 'n' })], {
          perDeviceNodeSelection: true,
        }),
      ],
    },
    [['r:b']],
  ],
  [
    'devices of slices in name order',
    {
      claims: [one('x')],
      slices: [aSlice('t', devices('a'), { pool: HALF }), aSlice('s', devices('b'), { pool: HALF })],
    },
    [['r:b']],
  ],
  [
    'no devices of an incomplete pool',
    { claims: [one('x')], slices: [aSlice('s', devices('a'), { pool: HALF })] },
    undefined,
  ],
  [
    'devices of a pool with slices for other nodes',
    {
      claims: [one('x')],
      slices: [
        aSlice('s', devices('a'), { pool: HALF, nodeName: 'n' }),
        aSlice('t', devices('b'), { pool: HALF, nodeName: 'm' }),
      ],
    },
    [['r:a']],
  ],
  [
    'devices of the newer generation',
    {
      claims: [one('x')],
      slices: [aSlice('s', devices('a'), { pool: OLD }), aSlice('t', devices('b'), { pool: NEW })],
    },
    [['r:b']],
  ],
  [
    'no devices while the newer generation is on another node',
    {
      claims: [one('x')],
      slices: [
        aSlice('s', devices('a'), { pool: HALF, nodeName: 'n' }),
        aSlice('t', devices('b'), { pool: NEW, nodeName: 'm' }),
      ],
    },
    undefined,
  ],
  [
    'devices with binding conditions last',
    {
      claims: [one('x')],
      slices: [
        aSlice('s', [aDevice('a', { bindingConditions: ['ready'] })]),
        aSlice('t', devices('b'), { pool: { ...OLD, name: 'q' } }),
      ],
    },
    [['r:b']],
  ],
  [
    'devices that a selector matches',
    {
      claims: [one('x', { selectors: [cel(`${MODEL} == "B"`)] })],
      slices: [aSlice('s', [aDevice('a', model('A')), aDevice('b', model('B'))])],
    },
    [['r:b']],
  ],
  [
    'devices that a class matches',
    {
      claims: [one('x')],
      classes: [aDeviceClass('class', { selectors: [cel(`${MODEL} == "B"`)] })],
      slices: [aSlice('s', [aDevice('a', model('A')), aDevice('b', model('B'))])],
    },
    [['r:b']],
  ],
  [
    'devices found by backtracking',
    {
      claims: [one('x'), one('y', { selectors: [cel(`${MODEL} == "A"`)] })],
      slices: [aSlice('s', [aDevice('a', model('A')), aDevice('b', model('B'))])],
    },
    [['r:b'], ['r:a']],
  ],
])('allocates to claims %s', (_, world, expected) => expect(found(world)).toEqual(expected));

describe('Allocator with constraints', () => {
  const three = [aSlice('s', [aDevice('a', model('A')), aDevice('b', model('B')), aDevice('c', model('B'))])];
  const same = (more: JsonObject = {}): JsonObject => ({
    constraints: [{ matchAttribute: `${DRIVER}/model`, ...more }],
  });
  const different: JsonObject = { constraints: [{ distinctAttribute: `${DRIVER}/model` }] };
  const two = [aRequest('r'), aRequest('q')];

  test.each<[string, ResourceClaim, string[] | undefined]>([
    ['equal attributes', aResourceClaim('x', [aRequest('r', { count: 2 })], same()), ['r:b', 'r:c']],
    ['equal attributes over several requests', aResourceClaim('x', two, same()), ['r:b', 'q:c']],
    ['equal attributes of one request only', aResourceClaim('x', two, same({ requests: ['q'] })), ['r:a', 'q:b']],
    ['more equal devices than exist', aResourceClaim('x', [aRequest('r', { count: 3 })], same()), undefined],
    ['distinct attributes', aResourceClaim('x', two, different), ['r:a', 'q:b']],
    ['more distinct devices than exist', aResourceClaim('x', [aRequest('r', { count: 3 })], different), undefined],
    [
      'an attribute that no device has',
      aResourceClaim('x', [aRequest()], { constraints: [{ matchAttribute: 'x.example.com/y' }] }),
      undefined,
    ],
  ])('allocates under a constraint: %s', (_, claim, expected) =>
    expect(found({ claims: [claim], slices: three })?.[0]).toEqual(expected),
  );
});

describe('Allocator with alternatives', () => {
  const alternatives = (...some: JsonObject[]): JsonObject => ({ name: 'r', firstAvailable: some });
  const large = anAlternative('large', { count: 3 });
  const small = anAlternative('small');

  test.each<[string, JsonObject[], string[] | undefined]>([
    ['the first that can be allocated', [alternatives(large, small)], ['r/small:a']],
    ['the first alternative', [alternatives(small, large)], ['r/small:a']],
    ['none if none can be allocated', [alternatives(large)], undefined],
    [
      'the first that leaves devices for the next request',
      [alternatives(anAlternative('two', { count: 2 }), small), aRequest('q')],
      ['r/small:a', 'q:b'],
    ],
    [
      'the first within the maximum devices of a claim',
      [alternatives(anAlternative('many', { count: 33 }), small)],
      ['r/small:a'],
    ],
  ])('chooses an alternative: %s', (_, requests, expected) =>
    expect(found({ claims: [aResourceClaim('x', requests)] })?.[0]).toEqual(expected),
  );
});

describe('Allocator with device taints', () => {
  const tainted = (effect: string): JsonObject => ({ taints: [{ key: 'k', value: 'v', effect }] });
  const tolerating = (toleration: JsonObject): ResourceClaim => one('x', { tolerations: [toleration] });

  test.each<[string, ResourceClaim, boolean]>([
    ['NoSchedule', one('x'), false],
    ['NoExecute', one('x'), false],
    ['None', one('x'), true],
    ['NoSchedule', tolerating({ key: 'k', operator: 'Exists' }), true],
    ['NoSchedule', tolerating({ key: 'k', operator: 'Equal', value: 'v' }), true],
    ['NoSchedule', tolerating({ key: 'k', operator: 'Equal', value: 'w' }), false],
    ['NoExecute', tolerating({ key: 'k', operator: 'Exists', effect: 'NoSchedule' }), false],
  ])('handles the taint effect %s for tolerations in %j', (effect, claim, isFound) => {
    const slices = [aSlice('s', [aDevice('a', tainted(effect))])];
    expect(found({ claims: [claim], slices })).toEqual(isFound ? [['r:a']] : undefined);
  });
});

describe('Allocator with shared counters', () => {
  const takes = (memory: string): JsonObject => ({
    consumesCounters: [{ counterSet: 'gpu', counters: { memory: { value: memory } } }],
  });
  const pool = { name: 'pool', generation: 1, resourceSliceCount: 2 };
  const counters = aSlice('c', [], { pool, sharedCounters: [{ name: 'gpu', counters: { memory: { value: '8Gi' } } }] });
  const parts = aSlice(
    's',
    [
      aDevice('whole', takes('8Gi')),
      aDevice('half', takes('4Gi')),
      aDevice('other-half', takes('4Gi')),
      aDevice('rest', takes('1Gi')),
    ],
    { pool },
  );
  const slices = [counters, parts];

  test.each<[string, World, string[][] | undefined]>([
    ['the whole device', { claims: [one('x')], slices }, [['r:whole']]],
    ['two halves instead', { claims: [one('x', { count: 2 })], slices }, [['r:half', 'r:other-half']]],
    [
      'next to devices in use',
      { claims: [one('x')], slices, others: [allocated(one('o'), ['half'])] },
      [['r:other-half']],
    ],
    ['more than the counters allow', { claims: [one('x', { count: 3 })], slices }, undefined],
    [
      'counters used on another node',
      {
        claims: [one('x')],
        others: [allocated(one('o'), ['far'])],
        slices: [
          aSlice('c', [], {
            pool: { ...pool, resourceSliceCount: 3 },
            sharedCounters: [{ name: 'gpu', counters: { memory: { value: '8Gi' } } }],
          }),
          aSlice('f', [aDevice('far', takes('4Gi'))], { pool: { ...pool, resourceSliceCount: 3 }, nodeName: 'm' }),
          aSlice('h', [aDevice('whole', takes('8Gi')), aDevice('half', takes('4Gi'))], {
            pool: { ...pool, resourceSliceCount: 3 },
            nodeName: 'n',
          }),
        ],
      },
      [['r:half']],
    ],
  ])('allocates devices that share counters: %s', (_, world, expected) => expect(found(world)).toEqual(expected));

  test('releases everything taken by a choice that a constraint rejects', () => {
    const half = (name: string, of: string): JsonObject => aDevice(name, { ...takes('4Gi'), ...model(of) });
    const halves = aSlice('s', [half('a', 'A'), half('b', 'B'), half('c', 'A')], { pool });
    const claim = one('x', { count: 2 }, { constraints: [{ matchAttribute: `${DRIVER}/model` }] });
    expect(found({ claims: [claim], slices: [counters, halves] })).toEqual([['r:a', 'r:c']]);
  });

  test.each<[string, ResourceSlice[]]>([
    ['a missing counter set', [aSlice('s', [aDevice('a', takes('1Gi'))])]],
    ['two devices of the same name', [aSlice('s', devices('a', 'a'))]],
  ])('ignores on this node a pool with %s', (_, invalid) => {
    expect(() => found({ claims: [one('x')], slices: invalid })).toThrow(
      new AllocationError('invalid resource pools were encountered', { onNode: true }),
    );
  });
});

describe('Allocator with consumable capacity', () => {
  const shared = (requestPolicy: JsonObject = {}): ResourceSlice[] => [
    aSlice('s', [
      aDevice('a', {
        allowMultipleAllocations: true,
        capacity: { memory: { value: '8Gi', ...(Object.keys(requestPolicy).length === 0 ? {} : { requestPolicy }) } },
      }),
    ]),
  ];
  const asks = (name: string, memory: string): ResourceClaim => one(name, { capacity: { requests: { memory } } });
  const has = (memory: string): ResourceClaim[] => [
    allocated(one('o'), ['a'], { shareID: 's', consumedCapacity: { memory } }),
  ];
  const taken = (world: World): unknown[] | undefined =>
    allocate(world)?.map((result) => resultsOf(result).map((each) => each.consumedCapacity));

  test.each<[string, World, unknown]>([
    ['the requested amount', { claims: [asks('x', '2Gi')], slices: shared() }, [[{ memory: '2Gi' }]]],
    ['everything without a request', { claims: [one('x')], slices: shared() }, [[{ memory: '8Gi' }]]],
    [
      'the default without a request',
      { claims: [one('x')], slices: shared({ default: '1Gi' }) },
      [[{ memory: '1Gi' }]],
    ],
    [
      'parts for two claims',
      { claims: [asks('x', '2Gi'), asks('y', '6Gi')], slices: shared() },
      [[{ memory: '2Gi' }], [{ memory: '6Gi' }]],
    ],
    ['not more than exists', { claims: [asks('x', '2Gi'), asks('y', '7Gi')], slices: shared() }, undefined],
    [
      'the remaining amount',
      { claims: [asks('x', '2Gi')], slices: shared(), others: has('6Gi') },
      [[{ memory: '2Gi' }]],
    ],
    ['not more than remains', { claims: [asks('x', '2Gi')], slices: shared(), others: has('7Gi') }, undefined],
    [
      'the next step of the policy',
      { claims: [asks('x', '1500Mi')], slices: shared({ default: '1Gi', validRange: { min: '1Gi', step: '1Gi' } }) },
      [[{ memory: '2Gi' }]],
    ],
    [
      'the minimum of the policy',
      { claims: [asks('x', '1Mi')], slices: shared({ default: '2Gi', validRange: { min: '1Gi' } }) },
      [[{ memory: '1Gi' }]],
    ],
    [
      'not more than the maximum of the policy',
      { claims: [asks('x', '5Gi')], slices: shared({ default: '1Gi', validRange: { min: '1Gi', max: '4Gi' } }) },
      undefined,
    ],
    [
      'the next valid value',
      { claims: [asks('x', '3Gi')], slices: shared({ default: '1Gi', validValues: ['1Gi', '4Gi'] }) },
      [[{ memory: '4Gi' }]],
    ],
    [
      'nothing above all valid values',
      { claims: [asks('x', '5Gi')], slices: shared({ default: '1Gi', validValues: ['1Gi', '4Gi'] }) },
      undefined,
    ],
    [
      'nothing of a missing capacity',
      { claims: [one('x', { capacity: { requests: { cores: '1' } } })], slices: shared() },
      undefined,
    ],
    [
      'a whole device that is large enough',
      {
        claims: [asks('x', '2Gi')],
        slices: [
          aSlice('s', [
            aDevice('a', { capacity: { memory: { value: '1Gi' } } }),
            aDevice('b', { capacity: { memory: { value: '4Gi' } } }),
          ]),
        ],
      },
      [[undefined]],
    ],
  ])('allocates capacity: %s', (_, world, expected) => expect(taken(world)).toEqual(expected));
});

describe('the result of an allocation', () => {
  const opaque = (parameters: JsonObject): JsonObject => ({ opaque: { driver: DRIVER, parameters } });
  const selector = (key: string): JsonObject => ({
    nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
  });

  test('includes the configuration of class and claim for the chosen requests', () => {
    const claim = aResourceClaim(
      'x',
      [aRequest('r'), { name: 'q', firstAvailable: [anAlternative('many', { count: 9 }), anAlternative('few')] }],
      {
        config: [
          { requests: ['q/many'], ...opaque({ n: 1 }) },
          { requests: ['q/few'], ...opaque({ n: 2 }) },
          { requests: ['q'], ...opaque({ n: 3 }) },
          opaque({ n: 4 }),
        ],
      },
    );
    const [result] =
      allocate({ claims: [claim], classes: [aDeviceClass('class', { config: [opaque({ n: 0 })] })] }) ?? [];
    expect(result?.devices.config).toEqual([
      { source: 'FromClass', requests: ['r', 'q/few'], ...opaque({ n: 0 }) },
      { source: 'FromClaim', requests: ['q/few'], ...opaque({ n: 2 }) },
      { source: 'FromClaim', requests: ['q'], ...opaque({ n: 3 }) },
      { source: 'FromClaim', ...opaque({ n: 4 }) },
    ]);
  });

  test.each<[string, ResourceSlice[], JsonObject | undefined]>([
    ['on all nodes', [aSlice('s', devices('a'))], undefined],
    [
      'on its node',
      [aSlice('s', devices('a'), { nodeName: 'n' })],
      { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }] },
    ],
    [
      'on the node that the device binds to',
      [aSlice('s', [aDevice('a', { bindsToNode: true })])],
      { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }] },
    ],
    ['on the nodes of the slice', [aSlice('s', devices('a'), { nodeSelector: selector('host') })], selector('host')],
  ])('is usable %s', (_, slices, expected) => {
    expect(allocate({ claims: [one('x')], slices })?.[0]?.nodeSelector).toEqual(expected);
  });

  test('includes the fields of the device and the request', () => {
    const binding = { bindingConditions: ['ready'], bindingFailureConditions: ['failed'] };
    const tolerations = [{ key: 'k', operator: 'Exists' }];
    const [result] =
      allocate({
        claims: [one('x', { adminAccess: true, tolerations })],
        slices: [aSlice('s', [aDevice('a', binding)])],
      }) ?? [];
    expect(result?.['devices']).toEqual({
      results: [
        { request: 'r', driver: DRIVER, pool: 'pool', device: 'a', adminAccess: true, tolerations, ...binding },
      ],
    });
  });
});

test.each<[string, World, string]>([
  [
    'too many devices',
    { claims: [one('x', { count: 33 })] },
    'claim default/x: number of requested devices 33 exceeds the claim limit of 32',
  ],
  [
    'an unknown class',
    { claims: [one('x', { deviceClassName: 'y' })] },
    'claim default/x, request r: could not retrieve device class y: deviceclass.resource.k8s.io "y" not found',
  ],
  [
    'an unknown mode',
    { claims: [one('x', { allocationMode: 'Some' })] },
    'claim default/x, request r: unsupported count mode Some',
  ],
  [
    'an unknown constraint',
    { claims: [one('x', {}, { constraints: [{}] })] },
    'claim default/x, constraint #0: empty constraint (unsupported constraint type?)',
  ],
  [
    'all devices of an incomplete pool',
    { claims: [one('x', { allocationMode: 'All' })], slices: [aSlice('s', devices('a'), { pool: HALF })] },
    `claim default/x, request r: asks for all devices, but resource pool ${DRIVER}/pool is currently being updated`,
  ],
  [
    'a selector that fails',
    { claims: [one('x', { selectors: [cel(MODEL)] })] },
    'claim default/x: selector #0: CEL runtime error: no such key: model',
  ],
  [
    'a class with an invalid selector',
    { claims: [one('x')], classes: [aDeviceClass('class', { selectors: [cel('?!')] })] },
    'class class: selector #0: CEL compile error: compilation failed',
  ],
  [
    'all devices with a failed constraint',
    {
      claims: [one('x', { allocationMode: 'All' }, { constraints: [{ matchAttribute: `${DRIVER}/model` }] })],
      slices: [aSlice('s', [aDevice('a', model('A')), aDevice('b', model('B'))])],
    },
    `claim default/x, request r: cannot add device ${DRIVER}/pool/b because a claim constraint would not be satisfied`,
  ],
])('throws an error for all nodes for %s', (_, world, message) => {
  expect(() => found(world)).toThrow(AllocationError);
  expect(() => found(world)).toThrow(message);
});

test('ends the search when the caller does, and pauses at least every 64 steps', () => {
  let steps = 0;
  const many = Array.from({ length: 30 }, (_, i) => `d${i}`);
  const allocator = new Allocator({
    state: allocatedState([]),
    slices: [aSlice('s', devices(...many))],
    deviceClass: () => aDeviceClass(),
  });
  const claim = aResourceClaim('x', [aRequest('r', { count: 15 }), aRequest('q', { selectors: [cel('false')] })]);
  const tick = (): void => {
    if (++steps > 1000) throw new RangeError('enough');
  };
  const search = allocator.allocate({ name: 'n', labels: {} }, [claim], tick);
  const before: number[] = [];
  const look = (): void => {
    for (const _ of search) before.push(steps);
  };
  expect(look).toThrow('enough');
  expect(before.length).toBeGreaterThan(10);
  expect(Math.max(...before.map((step, i) => step - (before[i - 1] ?? 0)))).toBeLessThanOrEqual(64);
});

test('pauses after each device checked by selectors, and counts it as a step', () => {
  let steps = 0;
  const names = Array.from({ length: 30 }, (_, i) => `d${i}`);
  const allocator = new Allocator({
    state: allocatedState([]),
    slices: [aSlice('s', devices(...names))],
    deviceClass: () => aDeviceClass(),
  });
  const claim = aResourceClaim('x', [aRequest('r', { selectors: [cel('false')] })]);
  const pauses = [...allocator.allocate({ name: 'n', labels: {} }, [claim], () => void steps++)];
  expect(pauses.length).toBeGreaterThanOrEqual(names.length);
  expect(steps).toBeGreaterThanOrEqual(names.length);
});
