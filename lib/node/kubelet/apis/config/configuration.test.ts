import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { KubeletConfigurationError, readKubeletConfiguration } from './configuration.ts';
import { EFFECTS } from './effects.ts';
import { CONFIGURATION_FLAGS, FlagError, setByFlag } from './flags.ts';
import { kubeletConfiguration } from './types.ts';

const read = (...documents: JsonObject[]) => readKubeletConfiguration(documents).configuration;
const faultOf = (document: JsonObject): string => {
  try {
    read(document);
  } catch (error) {
    if (error instanceof KubeletConfigurationError) return error.message;
    throw error;
  }
  return '';
};

test("has the kubelet's defaults", () => {
  expect(read()).toMatchObject({
    syncFrequency: 60_000,
    nodeStatusUpdateFrequency: 10_000,
    nodeStatusReportFrequency: 300_000,
    nodeLeaseDurationSeconds: 40,
    imageMinimumGCAge: 120_000,
    maxPods: 110,
    podPidsLimit: -1,
    containerLogMaxSize: '10Mi',
    enforceNodeAllocatable: ['pods'],
    crashLoopBackOff: { maxContainerRestartPeriod: 300_000 },
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  });
});

test('uses the default for a zero value, except for pointer fields', () => {
  const configuration = read({ maxPods: 0, registryPullQPS: 0, syncFrequency: '0s', clusterDomain: '' });
  expect(configuration).toMatchObject({ maxPods: 110, registryPullQPS: 0, syncFrequency: 60_000, clusterDomain: '' });
});

test('derives the report frequency from the update frequency if only that is set', () => {
  expect(read({ nodeStatusUpdateFrequency: '20s' })).toMatchObject({
    nodeStatusUpdateFrequency: 20_000,
    nodeStatusReportFrequency: 20_000,
  });
});

test('merges drop-in files and flags in order', () => {
  const dropIn = { systemReserved: { memory: '1Gi' }, maxPods: 50 };
  const flags: JsonObject = {};
  setByFlag(flags, CONFIGURATION_FLAGS['max-pods'] ?? { form: 'text', path: ['maxPods'] }, '20');
  expect(read({ maxPods: 100, systemReserved: { cpu: '1' } }, dropIn, flags)).toMatchObject({
    maxPods: 20,
    systemReserved: { cpu: '1', memory: '1Gi' },
  });
});

test.each([
  [{ maxPods: -1 }, 'invalid configuration: maxPods (--max-pods) -1 must not be a negative number'],
  [
    { imageGCHighThresholdPercent: 70 },
    'invalid configuration: imageGCLowThresholdPercent (--image-gc-low-threshold) 80 must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) 70',
  ],
  [
    { topologyManagerPolicy: 'x' },
    'invalid configuration: topologyManagerPolicy (--topology-manager-policy) "x" must be one of: ["none" "best-effort" "restricted" "single-numa-node"]',
  ],
  [
    { shutdownGracePeriod: '500ms' },
    'invalid configuration: shutdownGracePeriod {500ms} must be either zero or otherwise >= 1 sec',
  ],
  [{ podLogsDir: 'logs' }, 'invalid configuration: pod logs path "logs" must be absolute path'],
  [
    { enforceNodeAllocatable: ['pods', 'pods'] },
    'invalid configuration: duplicated enforcements "pods" in enforceNodeAllocatable (--enforce-node-allocatable)',
  ],
  [{ syncFrequency: 'soon' }, 'syncFrequency: time: invalid duration "soon"'],
  [{ runOnce: true }, 'runOnce is not supported: upstream removed it'],
  [{ featureGates: { NoSuchGate: true } }, 'unrecognized feature gate: NoSuchGate'],
  [{ noSuchSetting: 1 }, 'Unrecognized key: "noSuchSetting"'],
])('rejects the configuration %j', (document, message) => {
  expect(faultOf(document)).toBe(message);
});

test('warns about settings without effect', () => {
  const { warnings } = readKubeletConfiguration([{ port: 10251, hairpinMode: 'promiscuous-bridge', kubeAPIQPS: 5 }]);
  expect(warnings).toEqual([
    'port has no effect: without --serve the agent listens on no port',
    'kubeAPIQPS has no effect: requests of the agent are not delayed',
  ]);
});

test('documents the effect of every setting', () => {
  const fields = Object.keys(kubeletConfiguration.shape).filter((name) => !['apiVersion', 'kind'].includes(name));
  expect(Object.keys(EFFECTS)).toEqual(fields);
});

test.each([
  [
    'eviction-hard',
    'memory.available<1Gi, nodefs.available<5%',
    { evictionHard: { 'memory.available': '1Gi', 'nodefs.available': '5%' } },
  ],
  ['authorization-webhook-cache-authorized-ttl', '1m', { authorization: { webhook: { cacheAuthorizedTTL: '1m' } } }],
  [
    'register-with-taints',
    'a=b:NoSchedule,c:NoExecute',
    {
      registerWithTaints: [
        { key: 'a', value: 'b', effect: 'NoSchedule' },
        { key: 'c', effect: 'NoExecute' },
      ],
    },
  ],
  [
    'reserved-memory',
    '0:memory=1Gi;1:memory=2Gi',
    {
      reservedMemory: [
        { numaNode: 0, limits: { memory: '1Gi' } },
        { numaNode: 1, limits: { memory: '2Gi' } },
      ],
    },
  ],
  ['cluster-dns', '10.96.0.10,10.96.0.11', { clusterDNS: ['10.96.0.10', '10.96.0.11'] }],
  ['feature-gates', 'SELinuxMount=true', { featureGates: { SELinuxMount: true } }],
])('parses --%s %s', (name, text, expected) => {
  const document: JsonObject = {};
  const flag = CONFIGURATION_FLAGS[name];
  if (flag !== undefined) setByFlag(document, flag, text);
  expect(document).toEqual(expected);
});

test('keeps the fields that another flag set in the same object', () => {
  const document: JsonObject = {};
  for (const name of ['anonymous-auth', 'authentication-token-webhook']) {
    const flag = CONFIGURATION_FLAGS[name];
    if (flag !== undefined) setByFlag(document, flag, 'false');
  }
  expect(document).toEqual({ authentication: { anonymous: { enabled: false }, webhook: { enabled: false } } });
});

test.each([
  ['max-pods', 'many'],
  ['fail-swap-on', 'perhaps'],
  ['system-reserved', 'cpu'],
  ['register-with-taints', 'key'],
])('rejects --%s %s', (name, text) => {
  const flag = CONFIGURATION_FLAGS[name];
  expect(() => flag !== undefined && setByFlag({}, flag, text)).toThrow(FlagError);
});

test('has a configuration field for every flag', () => {
  const fields = new Set(Object.keys(kubeletConfiguration.shape));
  const strange = Object.values(CONFIGURATION_FLAGS).filter(({ path: [field] }) => !fields.has(field));
  expect(strange).toEqual([]);
});
