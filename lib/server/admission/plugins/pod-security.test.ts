import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';
import { DEFAULT_CONFIGURATION, type Exemptions } from '#lib/server/policy/pod-security/exemptions.ts';
import { MINOR, PodSecurityMetrics } from '#lib/server/policy/pod-security/metrics.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { anAttributes, lookupOf } from '../testing.ts';
import { podSecurity } from './pod-security.ts';

const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
const label = (level: string): JsonObject => ({ 'pod-security.kubernetes.io/enforce': level });
const namespace = (name: string, labels: JsonObject): JsonObject => ({ metadata: { name, labels } });
const privilegedPod = (name: string): JsonObject => ({ metadata: { name }, spec: { hostPID: true } });

const lookup = lookupOf({
  '/namespaces': [namespace('strict', label('baseline')), namespace('broken', label('x')), namespace('free', {})],
  '/pods': [{ ...privilegedPod('old'), metadata: { name: 'old', namespace: 'strict' } }],
});

async function outcome(
  attributes: Parameters<typeof anAttributes>[0],
  exemptions: Partial<Exemptions> = {},
): Promise<string[]> {
  const context = aRequestContext();
  const configuration = {
    ...DEFAULT_CONFIGURATION,
    exemptions: { ...DEFAULT_CONFIGURATION.exemptions, ...exemptions },
  };
  const plugin = podSecurity({ lookup, clock, configuration, metrics: new PodSecurityMetrics() });
  try {
    await plugin.validate?.(anAttributes({ ...attributes, context }));
  } catch (error) {
    return [String(error instanceof Error ? error.message : error)];
  }
  return [...context.warnings];
}

describe('pods under Pod Security', () => {
  const refused = ['pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)'];
  const pod = { resource: 'pods', namespace: 'strict', name: 'p', object: privilegedPod('p') };
  test('are rejected below the enforced level', async () => expect(await outcome(pod)).toEqual(refused));
  test('are checked at the strictest level if a label is invalid', async () => {
    expect(await outcome({ ...pod, namespace: 'broken' })).toEqual([
      expect.stringContaining('violates PodSecurity "restricted:latest"'),
    ]);
  });
  test.each([
    ['in a namespace without labels', { namespace: 'free' }, {}],
    ['of an exempt namespace', {}, { namespaces: ['strict'] }],
    ['of an exempt user', {}, { usernames: ['jane'] }],
    ['bound to a node', { subresource: 'binding' }, {}],
    ['after an irrelevant update', { operation: 'UPDATE' as const, oldObject: privilegedPod('p') }, {}],
  ])('are allowed: %s', async (_title, changes, exemptions) => {
    expect(await outcome({ ...pod, ...changes }, exemptions)).toEqual([]);
  });
  test('are allowed with an exempt runtime class', async () => {
    const object = { metadata: { name: 'p' }, spec: { hostPID: true, runtimeClassName: 'sandbox' } };
    expect(await outcome({ ...pod, object }, { runtimeClasses: ['sandbox'] })).toEqual([]);
    expect(await outcome({ ...pod, object })).toEqual(refused);
  });
});

test.each([
  ['apps', 'deployments', { spec: { template: { spec: { hostPID: true } } } }],
  ['batch', 'cronjobs', { spec: { jobTemplate: { spec: { template: { spec: { hostPID: true } } } } } }],
  ['', 'podtemplates', { template: { spec: { hostPID: true } } }],
])('warns about a write of %s %s', async (group, resource, object) => {
  expect(await outcome({ group, resource, namespace: 'strict', name: 'w', object })).toEqual([
    'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)',
  ]);
});

describe('namespaces under Pod Security', () => {
  const asked = (labels: JsonObject, before?: JsonObject) => ({
    resource: 'namespaces',
    kind: 'Namespace',
    namespace: 'strict',
    name: 'strict',
    object: namespace('strict', labels),
    ...(before === undefined ? {} : { operation: 'UPDATE' as const, oldObject: namespace('strict', before) }),
  });
  test('are rejected with invalid labels', async () => {
    expect(await outcome(asked(label('x')))).toEqual([
      'Namespace "strict" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted',
    ]);
  });
  test('may keep an invalid label', async () => expect(await outcome(asked(label('x'), label('x')))).toEqual([]));
  test('get warnings about existing pods when their labels become stricter', async () => {
    const heard = [
      'existing pods in namespace "strict" violate the new PodSecurity enforce level "baseline:latest"',
      'old: host namespaces',
    ];
    expect(await outcome(asked(label('baseline'), {}))).toEqual(heard);
    expect(await outcome(asked(label('baseline'), label('restricted')))).toEqual([]);
  });
  test('get a warning that their labels have no effect if exempt', async () => {
    expect(await outcome(asked(label('baseline')), { namespaces: ['strict'] })).toEqual([
      'namespace "strict" is exempt from Pod Security, and the policy (enforce=baseline:latest) will be ignored',
    ]);
  });
});

describe('audit annotations of Pod Security', () => {
  test.each<[string, Record<string, string>, string, Partial<Exemptions>, Record<string, string>]>([
    [
      'contains the enforced policy and the violations to audit',
      { enforce: 'privileged', audit: 'baseline' },
      'free',
      {},
      {
        'enforce-policy': 'privileged:latest',
        'audit-violations': 'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)',
      },
    ],
    ['contains that no policy was enforced', {}, 'free', {}, { 'enforce-policy': 'privileged:latest' }],
    ['contains the exemption', {}, 'free', { usernames: ['jane'] }, { exempt: 'user' }],
    [
      'contains the errors of labels',
      { audit: 'x' },
      'free',
      {},
      {
        'enforce-policy': 'privileged:latest',
        error:
          'Failed to parse policy: metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "x": must be one of privileged, baseline, restricted',
      },
    ],
  ])('records in the audit log: it %s', async (_title, labels, name, exemptions, expected) => {
    const prefixed = Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]);
    const kept = new Map<string, string>();
    const plugin = podSecurity({
      lookup: lookupOf({ '/namespaces': [namespace(name, Object.fromEntries(prefixed))] }),
      clock,
      configuration: {
        ...DEFAULT_CONFIGURATION,
        exemptions: { ...DEFAULT_CONFIGURATION.exemptions, ...exemptions },
      },
      metrics: new PodSecurityMetrics(),
    });
    const annotate = (key: string, value: string): void => void kept.set(key, value);
    await plugin.validate?.(
      anAttributes({ resource: 'pods', namespace: name, name: 'p', object: privilegedPod('p'), annotate }),
    );
    expect(Object.fromEntries([...kept].map(([key, value]) => [key.split('/')[1], value]))).toEqual(expected);
  });
});

test.each<[string, Record<string, string>, Partial<Exemptions>, string[]]>([
  ['a namespace without labels', {}, {}, ['evaluations allow,privileged,latest,enforce,create,pod,']],
  [
    'violations in every mode',
    { enforce: 'baseline', 'enforce-version': 'v1.99', audit: 'restricted', 'audit-version': 'v1.30' },
    {},
    ['evaluations deny,baseline,future,enforce,create,pod,', 'evaluations deny,restricted,v1.30,audit,create,pod,'],
  ],
  ['an exempt namespace', { enforce: 'baseline' }, { namespaces: ['team'] }, ['exemptions create,pod,']],
  [
    'an invalid policy',
    { audit: 'x' },
    {},
    ['evaluations allow,privileged,latest,enforce,create,pod,', 'errors false,create,pod,'],
  ],
])('counts evaluations: %s', async (_, labels, exemptions, expected) => {
  const metrics = new PodSecurityMetrics();
  const prefixed = Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]);
  const plugin = podSecurity({
    lookup: lookupOf({ '/namespaces': [namespace('team', Object.fromEntries(prefixed))] }),
    clock,
    configuration: { ...DEFAULT_CONFIGURATION, exemptions: { ...DEFAULT_CONFIGURATION.exemptions, ...exemptions } },
    metrics,
  });
  const pod = anAttributes({ resource: 'pods', namespace: 'team', name: 'p', object: privilegedPod('p') });
  await Promise.allSettled([plugin.validate?.(pod)]);
  const counted = metrics
    .collect()
    .flatMap(({ name, samples }) => samples.map(({ labels: by }) => `${name} ${Object.values(by).join()}`));
  expect(counted.toSorted()).toEqual(expected.map((one) => `pod_security_${one.replace(' ', '_total ')}`).toSorted());
});

test("records versions above this server's as future", () => {
  expect(GIT_VERSION).toContain(`v1.${MINOR}.`);
});
