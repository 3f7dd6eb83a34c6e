import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { readKubeletConfiguration } from './configuration.ts';
import { encodeKubeletConfiguration } from './encode.ts';

const read = (document: JsonObject) => readKubeletConfiguration([document]).configuration;
const shown = (document: JsonObject): JsonObject => encodeKubeletConfiguration(read(document));

test('encodes the effective defaults and omits zero values like Go', () => {
  const all = shown({});
  expect(all).toMatchObject({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    syncFrequency: '1m0s',
    streamingConnectionIdleTimeout: '4h0m0s',
    cpuCFSQuotaPeriod: '100ms',
    imageMaximumGCAge: '0s',
    authentication: { x509: {}, webhook: { enabled: true, cacheTTL: '2m0s' }, anonymous: { enabled: false } },
    authorization: { mode: 'Webhook', webhook: { cacheAuthorizedTTL: '5m0s', cacheUnauthorizedTTL: '30s' } },
    serializeImagePulls: true,
    seccompDefault: false,
    memorySwap: {},
    crashLoopBackOff: { maxContainerRestartPeriod: '5m0s' },
  });
  expect(all['evictionHard']).toHaveProperty('nodefs.available', '10%');
  for (const name of ['staticPodPath', 'readOnlyPort', 'runOnce', 'clusterDNS', 'featureGates', 'tracing'])
    expect(all).not.toHaveProperty(name);
});

test.each<[string, JsonObject]>([
  ['defaults', {}],
  ['zeros of pointer fields', { registryPullQPS: 0, enableDebuggingHandlers: false, resolvConf: '' }],
  ['durations', { syncFrequency: '90s', shutdownGracePeriod: '1h', cpuCFSQuotaPeriod: '5ms' }],
  ['maps and lists', { systemReserved: { cpu: '1' }, clusterDNS: ['10.96.0.10'], evictionSoft: {} }],
  ['merged evictions', { mergeDefaultEvictionSettings: true, evictionHard: { 'memory.available': '1Gi' } }],
  ['parallel pulls', { maxParallelImagePulls: 3, serializeImagePulls: false }],
  ['structures', { registerWithTaints: [{ key: 'a', effect: 'NoSchedule' }], authorization: { mode: 'AlwaysAllow' } }],
])('decodes the same settings from the encoded text: %s', (_, document) => {
  const all = shown(document);
  expect(encodeKubeletConfiguration(read(all))).toEqual(all);
  expect(read(all)).toMatchObject({ ...read(document), evictionHard: all['evictionHard'] });
});

test('masks the values of headers', () => {
  const all = shown({ staticPodURLHeader: { Authorization: ['Bearer secret'] } });
  expect(all['staticPodURLHeader']).toEqual({ Authorization: ['<masked>'] });
});
