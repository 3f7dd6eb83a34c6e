import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { DaemonSet } from '#lib/api/types/apps.v1.ts';
import {
  CONTROLLER_REVISIONS,
  DAEMON_SETS,
  DEPLOYMENTS,
  REPLICA_SETS,
  STATEFUL_SETS,
} from '#lib/api/types/resources.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import type { KindStrategy } from '../../strategy.ts';
import { controllerRevisionStrategy } from './controller-revision.ts';
import { daemonSetStrategy } from './daemon-set.ts';
import { deploymentStrategy } from './deployment.ts';
import { replicaSetStrategy } from './replica-set.ts';
import { statefulSetStrategy } from './stateful-set.ts';

const CONTEXT = aRequestContext();
const labels = { app: 'web' };

/** A workload kind: its strategy and sample objects. */
class Trial<T extends JsonObject> {
  readonly resource: ResourceOf<T>;
  readonly strategy: KindStrategy<T>;

  constructor(resource: ResourceOf<T>, strategy: KindStrategy<T>) {
    this.resource = resource;
    this.strategy = strategy;
  }

  /** A valid object with defaults, overridden by `spec`. */
  object(spec: JsonObject = {}, annotations: JsonObject = {}): T {
    const object = decodedAs(this.resource, {
      metadata: { name: 'web', generation: 1, annotations },
      spec: {
        selector: { matchLabels: { ...labels } },
        template: { metadata: { labels: { ...labels } }, spec: { containers: [{ name: 'app', image: 'nginx:1' }] } },
        ...spec,
      },
    });
    this.strategy.default?.(object);
    return object;
  }

  createErrors(spec: JsonObject): string[] {
    return (this.strategy.validate?.(this.object(spec)) ?? []).map(errorText);
  }

  update(from: JsonObject, change: (object: T) => void): { object: T; errors: string[] } {
    const old = this.object(from);
    this.strategy.prepareForCreate?.(old, CONTEXT);
    const object = clone(old);
    change(object);
    this.strategy.prepareForUpdate?.(object, old, CONTEXT);
    return { object, errors: (this.strategy.validateUpdate?.(object, old) ?? []).map(errorText) };
  }

  /** The errors of a status write, and whether it kept the spec. */
  updateStatus(change: (object: T) => void): { isSpecKept: boolean; errors: string[] } {
    const status = this.strategy.subresources?.['status'];
    const old = this.object();
    const object = clone(old);
    change(object);
    status?.prepareForUpdate?.(object, old, CONTEXT);
    const errors = (status?.validateUpdate?.(object, old) ?? []).map(errorText);
    return { isSpecKept: JSON.stringify(object['spec']) === JSON.stringify(old['spec']), errors };
  }
}

const deployments = new Trial(DEPLOYMENTS, deploymentStrategy);
const replicaSets = new Trial(REPLICA_SETS, replicaSetStrategy);
const statefulSets = new Trial(STATEFUL_SETS, statefulSetStrategy);
const daemonSets = new Trial(DAEMON_SETS, daemonSetStrategy);

interface Named {
  spec: { minReadySeconds?: number };
  status: { observedGeneration?: number | bigint };
}

function describeKind<T extends JsonObject & Named>(name: string, kind: Trial<T>): void {
  describe(name, () => {
    test('accept their defaults, and defaulting twice changes nothing', () => {
      const object = kind.object();
      const again = clone(object);
      kind.strategy.default?.(again);
      expect(again).toEqual(object);
      expect(kind.createErrors({})).toEqual([]);
    });

    test('reject a selector that does not match the template', () => {
      expect(kind.createErrors({ selector: { matchLabels: { app: 'other' } } })).toEqual([
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ]);
    });

    test('reject any restart policy except Always', () => {
      const template = {
        metadata: { labels },
        spec: { containers: [{ name: 'a', image: 'b:1' }], restartPolicy: 'Never' },
      };
      expect(kind.createErrors({ template })).toEqual([
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      ]);
    });

    test('ignore the status on create and update', () => {
      const { object } = kind.update({}, ({ status }) => void (status.observedGeneration = 9));
      expect(object.status).not.toHaveProperty('observedGeneration');
    });

    test('keep the spec on a status write and reject a negative count', () => {
      const { isSpecKept, errors } = kind.updateStatus(({ spec, status }) => {
        spec.minReadySeconds = 5;
        status.observedGeneration = -1;
      });
      expect(isSpecKept).toBe(true);
      expect(errors).toEqual(['status.observedGeneration: Invalid value: -1: must be greater than or equal to 0']);
    });
  });
}

describeKind('deployments', deployments);
describeKind('replica sets', replicaSets);
describeKind('stateful sets', statefulSets);
describeKind('daemon sets', daemonSets);

test.each([
  ['deployments', deployments, 'deployment'],
  ['replica sets', replicaSets, 'deployment'],
  ['stateful sets', statefulSets, 'statefulset'],
  ['daemon sets', daemonSets, 'daemonset'],
])('%s reject an empty selector', (_, kind, shown) => {
  const message = `spec.selector: Invalid value: {}: empty selector is invalid for ${shown}`;
  expect(kind.createErrors({ selector: {} })).toEqual([message]);
});

const EXISTS = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
const selectByExistence = (object: { spec: { selector: JsonObject | null } }): void =>
  void (object.spec.selector = clone(EXISTS));

test.each([
  ['deployments', deployments.update({}, selectByExistence)],
  ['replica sets', replicaSets.update({}, selectByExistence)],
  ['daemon sets', daemonSets.update({}, selectByExistence)],
])('%s reject a changed selector', (_, { errors }) => {
  expect(errors).toEqual([
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
  ]);
});

describe('the strategy of deployments', () => {
  test.each<[string, JsonObject, string[]]>([
    ['negative replicas', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
    [
      'an unknown strategy',
      { strategy: { type: 'Jump' } },
      [
        'spec.strategy: Unsupported value: {"Type":"Jump","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      'rollingUpdate and the strategy Recreate',
      { strategy: { type: 'Recreate', rollingUpdate: {} } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      'neither a surge nor unavailable pods',
      { strategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: 0 } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0'],
    ],
    [
      'an invalid maxSurge and a maxUnavailable above 100%',
      { strategy: { rollingUpdate: { maxUnavailable: '101%', maxSurge: 'x' } } },
      [
        "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
      ],
    ],
    [
      'a progress deadline not longer than minReadySeconds',
      { progressDeadlineSeconds: 5, minReadySeconds: 5 },
      ['spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds'],
    ],
  ])('rejects a deployment with %s', (_, spec, expected) => {
    expect(deployments.createErrors(spec)).toEqual(expected);
  });

  test('bumps the generation if annotations change', () => {
    const { object } = deployments.update({}, ({ metadata }) => void (metadata.annotations = { a: 'b' }));
    expect(object.metadata.generation).toBe(2);
  });
});

describe('the strategy of stateful sets', () => {
  const claim = (name: string, spec: JsonObject): JsonObject => ({ metadata: { name }, spec });
  const sized = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

  test('accepts a mount only if a claim template provides its volume', () => {
    const spec = { containers: [{ name: 'a', image: 'b:1', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] };
    const template = { metadata: { labels }, spec };
    expect(statefulSets.createErrors({ template, volumeClaimTemplates: [claim('data', sized)] })).toEqual([]);
    expect(statefulSets.createErrors({ template })).toEqual([
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    ]);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'an unknown pod management policy',
      { podManagementPolicy: 'Random' },
      [`spec.podManagementPolicy: Invalid value: "Random": must be 'OrderedReady' or 'Parallel'`],
    ],
    [
      'claim templates without access mode and size',
      { volumeClaimTemplates: [claim('data', {})] },
      [
        'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
      ],
    ],
    [
      'a negative first ordinal',
      { ordinals: { start: -1 } },
      ['spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'an unknown retention policy for claims',
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Burn' } },
      [
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Burn": supported values: "Retain", "Delete"',
      ],
    ],
    [
      'rollingUpdate and the strategy OnDelete',
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      [
        `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
      ],
    ],
  ])('rejects a stateful set with %s', (_, spec, expected) => {
    expect(statefulSets.createErrors(spec)).toEqual(expected);
  });

  test('accepts changed replicas and rejects a changed service name', () => {
    expect(statefulSets.update({}, ({ spec }) => void (spec.replicas = 5)).errors).toEqual([]);
    const [error = ''] = statefulSets.update({}, ({ spec }) => void (spec.serviceName = 'other')).errors;
    expect(error).toMatch(/^spec: Forbidden: updates to statefulset spec for fields other than 'replicas'/);
  });

  test('drops maxUnavailable, whose feature is off by default', () => {
    const { object } = statefulSets.update({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } }, () => {});
    expect(object.spec.updateStrategy.rollingUpdate).not.toHaveProperty('maxUnavailable');
  });
});

describe('the strategy of daemon sets', () => {
  const GENERATION = 'deprecated.daemonset.template.generation';
  const generation = ({ metadata }: DaemonSet): string | undefined => metadata.annotations?.[GENERATION];

  test('counts changes of the template in an annotation', () => {
    const same = daemonSets.update({}, ({ spec }) => void (spec.minReadySeconds = 3));
    expect(generation(same.object)).toBe('1');
    const changed = daemonSets.update({}, ({ spec }) => {
      spec.template.metadata.labels = { ...spec.template.metadata.labels, v: '2' };
    });
    expect(generation(changed.object)).toBe('2');
  });

  test('rejects a template generation that is not a number', () => {
    expect(() => daemonSets.object({}, { [GENERATION]: 'x' })).toThrow(
      'DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "x": invalid syntax',
    );
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'both a surge and unavailable pods',
      { maxUnavailable: 1, maxSurge: 1 },
      ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'],
    ],
    [
      'neither a surge nor unavailable pods',
      { maxUnavailable: 0 },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
    ],
  ])('rejects a daemon set with %s', (_, rollingUpdate, expected) => {
    expect(daemonSets.createErrors({ updateStrategy: { rollingUpdate } })).toEqual(expected);
  });
});

test.each<[string, JsonObject, string[]]>([
  ['accepts an object', { data: { a: 1 }, revision: 1 }, []],
  ['rejects absent data', { revision: 1 }, ['data: Required value: data is mandatory']],
  ['rejects a list', { data: [], revision: 1 }, ['data: Required value: data must be a valid JSON object']],
  [
    'rejects a negative revision',
    { data: {}, revision: -1 },
    ['revision: Invalid value: -1: must be greater than or equal to 0'],
  ],
])('validation of a controller revision %s', (_, fields, expected) => {
  const revision = decodedAs(CONTROLLER_REVISIONS, fields);
  expect((controllerRevisionStrategy.validate?.(revision) ?? []).map(errorText)).toEqual(expected);
});
