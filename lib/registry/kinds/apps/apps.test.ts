import { describe, expect, test } from 'vitest';
import { clone, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure } from '#lib/machinery/unstructured.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { appsStrategies } from './strategies.ts';

const CONTEXT = { namespace: 'default', user: 'tester', now: new Date(0) };
const strategyOf = (resource: string): KindStrategy => appsStrategies[`apps/${resource}`] as KindStrategy;
const labels = { app: 'web' };

/** A valid controller of pods, but for `spec`. */
function aController(resource: string, spec: JsonObject = {}): JsonObject {
  const object: JsonObject = {
    metadata: { name: 'web', generation: 1 },
    spec: {
      selector: { matchLabels: { ...labels } },
      template: { metadata: { labels: { ...labels } }, spec: { containers: [{ name: 'app', image: 'nginx:1' }] } },
      ...spec,
    },
  };
  strategyOf(resource).default?.(object);
  return object;
}

function createErrors(resource: string, spec: JsonObject): string[] {
  return (strategyOf(resource).validate?.(aController(resource, spec)) ?? []).map(errorText);
}

function update(resource: string, from: JsonObject, change: (object: JsonObject) => void) {
  const strategy = strategyOf(resource);
  const old = aController(resource, from);
  strategy.prepareForCreate?.(old, CONTEXT);
  const object = clone(old);
  change(object);
  strategy.prepareForUpdate?.(object, old, CONTEXT);
  return { object, errors: (strategy.validateUpdate?.(object, old) ?? []).map(errorText) };
}

const RESOURCES = ['deployments', 'replicasets', 'statefulsets', 'daemonsets'];
const setSpec = (fields: JsonObject) => (object: JsonObject) => void Object.assign(ensure(object, 'spec'), fields);

describe.each(RESOURCES)('%s', (resource) => {
  test('are valid with defaults, which are settled', () => {
    const object = aController(resource);
    const again = clone(object);
    strategyOf(resource).default?.(again);
    expect(again).toEqual(object);
    expect(createErrors(resource, {})).toEqual([]);
  });

  test('select their own pods', () => {
    expect(createErrors(resource, { selector: { matchLabels: { app: 'other' } } })).toEqual([
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  test('restart their pods always', () => {
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'a', image: 'b:1' }], restartPolicy: 'Never' },
    };
    expect(createErrors(resource, { template })).toEqual([
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ]);
  });

  test('have their status reset and kept', () => {
    const { object } = update(resource, {}, (changed) => void (changed['status'] = { observedGeneration: 9 }));
    expect(objectAt(object, 'status')).not.toHaveProperty('observedGeneration');
  });

  test('have a status that keeps the specification', () => {
    const status = strategyOf(resource).subresources?.['status'];
    const old = aController(resource);
    const object = clone(old);
    setSpec({ minReadySeconds: 5 })(object);
    status?.prepareForUpdate?.(object, old, CONTEXT);
    expect(object['spec']).toEqual(old['spec']);
    object['status'] = { observedGeneration: -1 };
    expect(status?.validateUpdate?.(object, old).map(errorText)).toEqual([
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});

test.each([
  ['deployments', 'Invalid value: {}: empty selector is invalid for deployment'],
  ['replicasets', 'Invalid value: {}: empty selector is invalid for deployment'],
  ['statefulsets', 'Invalid value: {}: empty selector is invalid for statefulset'],
  ['daemonsets', 'Invalid value: {}: empty selector is invalid for daemonset'],
])('%s do not select everything', (resource, text) => {
  expect(createErrors(resource, { selector: {} })).toEqual([`spec.selector: ${text}`]);
});

test.each(['deployments', 'replicasets', 'daemonsets'])('%s do not change their selector', (resource) => {
  const selector = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
  expect(update(resource, {}, setSpec({ selector })).errors).toEqual([
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
  ]);
});

describe('deployments', () => {
  test.each<[string, JsonObject, string[]]>([
    ['count replicas', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
    [
      'roll or start anew',
      { strategy: { type: 'Jump' } },
      [
        'spec.strategy: Unsupported value: {"Type":"Jump","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      'start anew without rolling',
      { strategy: { type: 'Recreate', rollingUpdate: {} } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      'move while they roll',
      { strategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: 0 } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0'],
    ],
    [
      'roll by parts of all',
      { strategy: { rollingUpdate: { maxUnavailable: '101%', maxSurge: 'x' } } },
      [
        "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
      ],
    ],
    [
      'wait longer than pods need to be ready',
      { progressDeadlineSeconds: 5, minReadySeconds: 5 },
      ['spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds'],
    ],
  ])('%s', (_, spec, expected) => {
    expect(createErrors('deployments', spec)).toEqual(expected);
  });

  test('count changes of annotations', () => {
    const { object } = update('deployments', {}, (changed) => {
      ensure(changed, 'metadata', 'annotations')['a'] = 'b';
    });
    expect(objectAt(object, 'metadata')?.['generation']).toBe(2);
  });
});

describe('stateful sets', () => {
  const claim = (name: string, spec: JsonObject): JsonObject => ({ metadata: { name }, spec });
  const sized = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

  test('have their claims as volumes', () => {
    const spec = { containers: [{ name: 'a', image: 'b:1', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] };
    const template = { metadata: { labels }, spec };
    expect(createErrors('statefulsets', { template, volumeClaimTemplates: [claim('data', sized)] })).toEqual([]);
    expect(createErrors('statefulsets', { template })).toEqual([
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    ]);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'start in one of two ways',
      { podManagementPolicy: 'Random' },
      [`spec.podManagementPolicy: Invalid value: "Random": must be 'OrderedReady' or 'Parallel'`],
    ],
    [
      'claim storage',
      { volumeClaimTemplates: [claim('data', {})] },
      [
        'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
      ],
    ],
    [
      'begin at no negative ordinal',
      { ordinals: { start: -1 } },
      ['spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'keep or delete claims',
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Burn' } },
      [
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Burn": supported values: "Retain", "Delete"',
      ],
    ],
    [
      'roll only where they roll',
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      [
        `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
      ],
    ],
  ])('%s', (_, spec, expected) => {
    expect(createErrors('statefulsets', spec)).toEqual(expected);
  });

  test('change only what need not be made anew', () => {
    expect(update('statefulsets', {}, setSpec({ replicas: 5 })).errors).toEqual([]);
    const [error = ''] = update('statefulsets', {}, setSpec({ serviceName: 'other' })).errors;
    expect(error).toMatch(/^spec: Forbidden: updates to statefulset spec for fields other than 'replicas'/);
  });

  test('lose what is off by default', () => {
    const { object } = update('statefulsets', { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } }, () => {});
    expect(at(object, 'spec', 'updateStrategy', 'rollingUpdate')).not.toHaveProperty('maxUnavailable');
  });
});

describe('daemon sets', () => {
  const GENERATION = 'deprecated.daemonset.template.generation';
  const generation = (object: JsonObject) => at(object, 'metadata', 'annotations')?.[GENERATION];

  test('count the changes of their template', () => {
    const same = update('daemonsets', {}, setSpec({ minReadySeconds: 3 }));
    expect(generation(same.object)).toBe('1');
    const changed = update('daemonsets', {}, (object) => {
      ensure(object, 'spec', 'template', 'metadata', 'labels')['v'] = '2';
    });
    expect(generation(changed.object)).toBe('2');
  });

  test('refuse a count that is none', () => {
    const object = aController('daemonsets');
    ensure(object, 'metadata', 'annotations')[GENERATION] = 'x';
    expect(() => strategyOf('daemonsets').default?.(object)).toThrow(
      'DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "x": invalid syntax',
    );
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'surge or do without',
      { maxUnavailable: 1, maxSurge: 1 },
      ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'],
    ],
    [
      'move',
      { maxUnavailable: 0 },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
    ],
  ])('%s while they roll', (_, rollingUpdate, expected) => {
    expect(createErrors('daemonsets', { updateStrategy: { rollingUpdate } })).toEqual(expected);
  });
});

test.each<[string, JsonObject, string[]]>([
  ['an object', { data: { a: 1 }, revision: 1 }, []],
  ['nothing', { revision: 1 }, ['data: Required value: data is mandatory']],
  ['a list', { data: [], revision: 1 }, ['data: Required value: data must be a valid JSON object']],
  [
    'a past before the first',
    { data: {}, revision: -1 },
    ['revision: Invalid value: -1: must be greater than or equal to 0'],
  ],
])('a controller revision holds %s', (_, revision, expected) => {
  expect((strategyOf('controllerrevisions').validate?.(revision) ?? []).map(errorText)).toEqual(expected);
});
