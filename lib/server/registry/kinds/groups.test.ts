import { describe, expect, test } from 'vitest';
import {
  API_SERVICES,
  CSI_DRIVERS,
  ENDPOINT_SLICES,
  HORIZONTAL_POD_AUTOSCALERS,
  LEASES,
  MUTATING_ADMISSION_POLICIES,
  MUTATING_WEBHOOK_CONFIGURATIONS,
  POD_DISRUPTION_BUDGETS,
  PRIORITY_CLASSES,
  PRIORITY_LEVEL_CONFIGURATIONS,
  RUNTIME_CLASSES,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
} from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { created, refusals, updated, updateRefusals } from './proof/strategy-proof.conformance.ts';

const named = (name: string, spec: JsonObject = {}): JsonObject => ({ metadata: { name }, spec });

const autoscaler = (spec: JsonObject = {}): JsonObject =>
  named('a', { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, ...spec });
const slice = (...addresses: string[]): JsonObject => ({
  metadata: { name: 's', generation: 3 },
  addressType: 'IPv4',
  endpoints: [{ addresses }],
});
const mutating = (...mutations: JsonObject[]): JsonObject =>
  named('p', {
    reinvocationPolicy: 'Never',
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
    },
    mutations,
  });
const webhook = (rest: JsonObject = {}): JsonObject => ({
  name: 'a.b.c',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://a.b' },
  ...rest,
});
const remote = { group: 'g.io', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
const level = (spec: JsonObject): JsonObject => named('l', { type: 'Limited', limited: spec });

test.each<[string, GroupVersionResource, JsonObject, JsonObject]>([
  [
    'autoscaler',
    HORIZONTAL_POD_AUTOSCALERS,
    autoscaler({ behavior: { scaleDown: { selectPolicy: 'Min' } } }),
    {
      spec: {
        minReplicas: 1,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } }],
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Max' },
          scaleDown: { selectPolicy: 'Min', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
        },
      },
    },
  ],
  [
    'local APIService',
    API_SERVICES,
    named('v1.g.io', remote),
    {
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    },
  ],
  [
    'priority level with queues',
    PRIORITY_LEVEL_CONFIGURATIONS,
    level({ limitResponse: { type: 'Queue', queuing: {} } }),
    {
      spec: {
        limited: {
          nominalConcurrencyShares: 30,
          limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
        },
      },
    },
  ],
  [
    'priority class',
    PRIORITY_CLASSES,
    { metadata: { name: 'p' }, value: 1 },
    {
      metadata: { generation: 1 },
      preemptionPolicy: 'PreemptLowerPriority',
    },
  ],
])('prepares a created %s', (_name, resource, object, want) => {
  expect(created(resource, object)).toMatchObject(want);
});

test.each<[string, GroupVersionResource, JsonObject, string[]]>([
  [
    'autoscaler with zero replicas and a CPU metric',
    HORIZONTAL_POD_AUTOSCALERS,
    autoscaler({ minReplicas: 0 }),
    [
      'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
    ],
  ],
  [
    'autoscaler with two sources in one metric',
    HORIZONTAL_POD_AUTOSCALERS,
    autoscaler({
      metrics: [
        {
          type: 'Pods',
          pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } },
          external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } },
        },
      ],
    }),
    ['spec.metrics[0].external: Forbidden: must populate the given metric source only'],
  ],
  [
    'disruption budget with both limits',
    POD_DISRUPTION_BUDGETS,
    named('b', { minAvailable: 1, maxUnavailable: '10%' }),
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"10%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
  [
    'priority class above the maximum for users',
    PRIORITY_CLASSES,
    { metadata: { name: 'p' }, value: 2_000_000_000 },
    ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  ],
  [
    'priority class with the prefix system-',
    PRIORITY_CLASSES,
    { metadata: { name: 'system-x' }, value: 1 },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
    ],
  ],
  [
    'lease with a duration of 0',
    LEASES,
    named('l', { leaseDurationSeconds: 0 }),
    ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
  ],
  [
    'runtime class with an invalid handler and overhead',
    RUNTIME_CLASSES,
    { metadata: { name: 'r' }, handler: 'A', overhead: { podFixed: { foo: '1' } } },
    [
      expect.stringMatching(/^handler: Invalid value: "A": a lowercase RFC 1123 label/),
      'overhead.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'overhead.limits[foo]: Invalid value: "foo": must be a standard resource for containers',
    ],
  ],
  [
    'endpoint slice with an address of another family',
    ENDPOINT_SLICES,
    slice('fd00::1'),
    ['endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address'],
  ],
  [
    'mutating policy with both patch types',
    MUTATING_ADMISSION_POLICIES,
    mutating({ patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } }),
    [
      'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
      'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
    ],
  ],
  [
    'webhook configuration with duplicate webhooks',
    MUTATING_WEBHOOK_CONFIGURATIONS,
    { metadata: { name: 'w' }, webhooks: [webhook(), webhook()] },
    ['webhooks[1].name: Duplicate value: "a.b.c"'],
  ],
  [
    'exempt priority level with another name',
    PRIORITY_LEVEL_CONFIGURATIONS,
    named('l', { type: 'Exempt' }),
    ["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
  ],
  [
    'priority level whose hands need too many hash bits',
    PRIORITY_LEVEL_CONFIGURATIONS,
    level({ limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 20 } } }),
    [
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 20: required entropy bits of deckSize 64 and handSize 20 should not be greater than 60',
    ],
  ],
  [
    'APIService with a wrong name',
    API_SERVICES,
    named('x', remote),
    ['metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "v1.g.io"'],
  ],
])('rejects a new %s', (_name, resource, object, want) => {
  expect(refusals(resource, object)).toEqual(want);
});

test.each<[string, GroupVersionResource, JsonObject, JsonObject, string, string[]]>([
  [
    'the value of a priority class',
    PRIORITY_CLASSES,
    { metadata: { name: 'p' }, value: 2 },
    { metadata: { name: 'p' }, value: 1 },
    '',
    ['value: Forbidden: may not be changed in an update.'],
  ],
  [
    'a webhook that already had legacy side effects',
    VALIDATING_WEBHOOK_CONFIGURATIONS,
    { webhooks: [webhook({ sideEffects: 'Some' })] },
    { webhooks: [webhook({ sideEffects: 'Unknown' })] },
    '',
    [],
  ],
  [
    'a disruption budget to duplicate conditions',
    POD_DISRUPTION_BUDGETS,
    {
      status: {
        conditions: [1, 2].map(() => ({
          type: 'A',
          status: 'True',
          reason: 'R',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        })),
      },
    },
    {},
    'status',
    ['status.conditions[1].type: Duplicate value: "A"'],
  ],
  [
    'the address type of an endpoint slice',
    ENDPOINT_SLICES,
    { ...slice('fd00::1'), addressType: 'IPv6' },
    slice('10.0.0.1'),
    '',
    ['addressType: Invalid value: "IPv6": field is immutable'],
  ],
  [
    'the shares of the exempt priority level',
    PRIORITY_LEVEL_CONFIGURATIONS,
    named('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 10 } }),
    named('exempt', { type: 'Exempt' }),
    '',
    [],
  ],
  [
    'an APIService to an invalid condition',
    API_SERVICES,
    { status: { conditions: [{ type: 'Available', status: 'Maybe' }] } },
    named('v1.g.io', remote),
    'status',
    ['status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"'],
  ],
])('validates an update of %s', (_name, resource, object, old, subresource, want) => {
  expect(updateRefusals(resource, object, old, subresource)).toEqual(want);
});

describe('generations of special kinds', () => {
  test('bumps the generation of an endpoint slice if labels change', () => {
    const resource = ENDPOINT_SLICES;
    const old = created(resource, slice('10.0.0.1'));
    const next = { ...slice('10.0.0.1'), metadata: { name: 's', generation: 3, labels: { a: 'b' } } };
    expect(updated(resource, next, old)['metadata']).toMatchObject({ generation: 4 });
    expect(updated(resource, slice('10.0.0.1'), old)['metadata']).toMatchObject({ generation: 3 });
  });

  test('starts the generation of a CSI driver with its first change', () => {
    const resource = CSI_DRIVERS;
    const old = created(resource, named('d'));
    expect(updated(resource, named('d', { podInfoOnMount: true }), old)['metadata']).toMatchObject({ generation: 1 });
  });
});
