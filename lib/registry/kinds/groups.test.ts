import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { created, refusals, updated, updateRefusals } from './proof/strategy-proof.conformance.ts';
import { STRATEGIES } from './strategies.ts';

const named = (name: string, spec: JsonObject = {}): JsonObject => ({ metadata: { name }, spec });
const strategyOf = (key: string) => STRATEGIES[key] ?? {};

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

test.each<[string, string, JsonObject, JsonObject]>([
  [
    'autoscaler',
    'autoscaling/horizontalpodautoscalers',
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
    'local API',
    'apiregistration.k8s.io/apiservices',
    named('v1.g.io', remote),
    {
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    },
  ],
  [
    'queue',
    'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
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
    'priority',
    'scheduling.k8s.io/priorityclasses',
    { metadata: { name: 'p' }, value: 1 },
    {
      metadata: { generation: 1 },
      preemptionPolicy: 'PreemptLowerPriority',
    },
  ],
])('a created %s', (_name, key, object, want) => {
  expect(created(strategyOf(key), object)).toMatchObject(want);
});

test.each<[string, string, JsonObject, string[]]>([
  [
    'no replicas for a processor',
    'autoscaling/horizontalpodautoscalers',
    autoscaler({ minReplicas: 0 }),
    [
      'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
    ],
  ],
  [
    'a metric of two sources',
    'autoscaling/horizontalpodautoscalers',
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
    'both limits of a budget',
    'policy/poddisruptionbudgets',
    named('b', { minAvailable: 1, maxUnavailable: '10%' }),
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"10%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
  [
    'a user above the system',
    'scheduling.k8s.io/priorityclasses',
    { metadata: { name: 'p' }, value: 2_000_000_000 },
    ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  ],
  [
    "a system of one's own",
    'scheduling.k8s.io/priorityclasses',
    { metadata: { name: 'system-x' }, value: 1 },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
    ],
  ],
  [
    'a lease of no time',
    'coordination.k8s.io/leases',
    named('l', { leaseDurationSeconds: 0 }),
    ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
  ],
  [
    'a handler',
    'node.k8s.io/runtimeclasses',
    { metadata: { name: 'r' }, handler: 'A', overhead: { podFixed: { foo: '1' } } },
    [
      expect.stringMatching(/^handler: Invalid value: "A": a lowercase RFC 1123 label/),
      'overhead.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'overhead.limits[foo]: Invalid value: "foo": must be a standard resource for containers',
    ],
  ],
  [
    'an address of another family',
    'discovery.k8s.io/endpointslices',
    slice('fd00::1'),
    ['endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address'],
  ],
  [
    'a patch of both kinds',
    'admissionregistration.k8s.io/mutatingadmissionpolicies',
    mutating({ patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } }),
    [
      'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
      'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
    ],
  ],
  [
    'a webhook twice',
    'admissionregistration.k8s.io/mutatingwebhookconfigurations',
    { metadata: { name: 'w' }, webhooks: [webhook(), webhook()] },
    ['webhooks[1].name: Duplicate value: "a.b.c"'],
  ],
  [
    'a level of the wrong name',
    'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
    named('l', { type: 'Exempt' }),
    ["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
  ],
  [
    'hands as large as the deck',
    'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
    level({ limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 20 } } }),
    [
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 20: required entropy bits of deckSize 64 and handSize 20 should not be greater than 60',
    ],
  ],
  [
    'a service under a wrong name',
    'apiregistration.k8s.io/apiservices',
    named('x', remote),
    ['metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "v1.g.io"'],
  ],
])('refused: %s', (_name, key, object, want) => {
  expect(refusals(strategyOf(key), object)).toEqual(want);
});

test.each<[string, string, JsonObject, JsonObject, string, string[]]>([
  [
    'the value of a priority',
    'scheduling.k8s.io/priorityclasses',
    { metadata: { name: 'p' }, value: 2 },
    { metadata: { name: 'p' }, value: 1 },
    '',
    ['value: Forbidden: may not be changed in an update.'],
  ],
  [
    'side effects that were there',
    'admissionregistration.k8s.io/validatingwebhookconfigurations',
    { webhooks: [webhook({ sideEffects: 'Some' })] },
    { webhooks: [webhook({ sideEffects: 'Unknown' })] },
    '',
    [],
  ],
  [
    'a condition twice',
    'policy/poddisruptionbudgets',
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
    'another family',
    'discovery.k8s.io/endpointslices',
    { ...slice('fd00::1'), addressType: 'IPv6' },
    slice('10.0.0.1'),
    '',
    ['addressType: Invalid value: "IPv6": field is immutable'],
  ],
  [
    'the exempt level but for its shares',
    'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
    named('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 10 } }),
    named('exempt', { type: 'Exempt' }),
    '',
    [],
  ],
  [
    'the status of an API',
    'apiregistration.k8s.io/apiservices',
    { status: { conditions: [{ type: 'Available', status: 'Maybe' }] } },
    named('v1.g.io', remote),
    'status',
    ['status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"'],
  ],
])('update: %s', (_name, key, object, old, subresource, want) => {
  expect(updateRefusals(strategyOf(key), object, old, subresource)).toEqual(want);
});

describe('generations', () => {
  test('labels of a slice count', () => {
    const strategy = strategyOf('discovery.k8s.io/endpointslices');
    const old = created(strategy, slice('10.0.0.1'));
    const next = { ...slice('10.0.0.1'), metadata: { name: 's', generation: 3, labels: { a: 'b' } } };
    expect(updated(strategy, next, old)['metadata']).toMatchObject({ generation: 4 });
    expect(updated(strategy, slice('10.0.0.1'), old)['metadata']).toMatchObject({ generation: 3 });
  });

  test('of a driver they begin with the first change', () => {
    const strategy = strategyOf('storage.k8s.io/csidrivers');
    const old = created(strategy, named('d'));
    expect(updated(strategy, named('d', { podInfoOnMount: true }), old)['metadata']).toMatchObject({ generation: 1 });
  });
});
