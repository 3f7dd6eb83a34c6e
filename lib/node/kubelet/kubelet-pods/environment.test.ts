import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { CONFIG_MAPS, SECRETS, SERVICES } from '#lib/api/types/resources.ts';
import { internalError, notFound } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { containerOf, podOf } from '../testing/decoded-pod.ts';
import { bytesOfText } from '../util/byte-text.ts';
import { type EnvironmentPlace, type EnvironmentPorts, makeEnvironmentVariables } from './environment.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const configMaps = new Map([
  ['settings', { A: 'from-map', '1-odd name': 'odd' }],
  ['more', { A: 'from-more' }],
]);
const secrets = new Map([['keys', { TOKEN: base64('t0p'), RAW: '/w==' }]]);
const kubernetes = decodedAs(SERVICES, {
  metadata: { name: 'kubernetes', namespace: 'default' },
  spec: { clusterIP: '10.96.0.1', ports: [{ port: 443 }] },
});

const ports = (overrides: Partial<EnvironmentPorts> = {}): EnvironmentPorts => ({
  configMap: async (namespace, name) => {
    const data = configMaps.get(name);
    if (data === undefined) throw notFound({ group: '', resource: 'configmaps' }, name);
    return decodedAs(CONFIG_MAPS, { metadata: { name, namespace }, data });
  },
  secret: async (namespace, name) => {
    const data = secrets.get(name);
    if (data === undefined) throw notFound({ group: '', resource: 'secrets' }, name);
    return decodedAs(SECRETS, { metadata: { name, namespace }, data });
  },
  services: () => [],
  nodeAllocatable: () => ({ cpu: '4', memory: '8Gi' }),
  readBelow: async () => Buffer.from("A='from file'\n"),
  ...overrides,
});

const volume = { path: '/vol', innerVolumeSpecName: 'v', readOnly: false, block: false, selinuxRelabel: false };
const place: EnvironmentPlace = {
  podIPs: ['10.0.0.1'],
  hostIPs: () => ['192.0.2.7'],
  volumes: new Map([['v', volume]]),
};

const variables = async (container: JsonObject, given: Partial<EnvironmentPorts> = {}, spec: JsonObject = {}) => {
  const pod = podOf({ enableServiceLinks: false, containers: [{ name: 'c', ...container }], ...spec });
  const list = await makeEnvironmentVariables(pod, containerOf(pod), place, ports(given));
  return list.map(({ name, value }) => [name, value]);
};
const envOf = (valueFrom: JsonObject, given: Partial<EnvironmentPorts> = {}) =>
  variables({ env: [{ name: 'X', valueFrom }] }, given);

describe('the order of sources', () => {
  test('overrides earlier sources of envFrom with later ones, and both with env', async () => {
    const envFrom = [
      { configMapRef: { name: 'settings' } },
      { prefix: 'P_', configMapRef: { name: 'more' } },
      { configMapRef: { name: 'more' } },
      { prefix: 's.', secretRef: { name: 'keys' } },
    ];
    const env = [
      { name: 'B', value: '$(A) $(P_A) $(C) $$(A)' },
      { name: 'C', value: 'late' },
      { name: 'A', value: 'own' },
      { name: 'D', value: '$(A)' },
      { name: 'EMPTY' },
    ];
    expect(await variables({ envFrom, env })).toEqual([
      ['1-odd name', 'odd'],
      ['A', 'own'],
      ['P_A', 'from-more'],
      ['s.RAW', '\udcff'],
      ['s.TOKEN', 't0p'],
      ['B', 'from-more from-more $(C) $(A)'],
      ['C', 'late'],
      ['D', 'own'],
      ['EMPTY', ''],
    ]);
  });

  test('adds service variables last without overriding others, and lets env refer to them', async () => {
    const env = [
      { name: 'URL', value: 'https://$(KUBERNETES_SERVICE_HOST)' },
      { name: 'KUBERNETES_SERVICE_PORT', value: '6443' },
    ];
    const names = await variables({ env }, { services: () => [kubernetes] });
    expect(names.slice(0, 3)).toEqual([
      ['URL', 'https://10.96.0.1'],
      ['KUBERNETES_SERVICE_PORT', '6443'],
      ['KUBERNETES_SERVICE_HOST', '10.96.0.1'],
    ]);
    expect(names.filter(([name]) => name === 'KUBERNETES_SERVICE_PORT')).toHaveLength(1);
  });

  test('reads each object once', async () => {
    const read: string[] = [];
    const { configMap } = ports();
    const env = ['A', 'A'].map((key) => ({ name: key, valueFrom: { configMapKeyRef: { name: 'more', key } } }));
    await variables(
      { env, envFrom: [{ configMapRef: { name: 'more' } }] },
      { configMap: (namespace, name) => (read.push(`${namespace}/${name}`), configMap(namespace, name)) },
    );
    expect(read).toEqual(['shop/more']);
  });
});

describe('sources of variables', () => {
  test.each<[string, JsonObject, string]>([
    ['a field', { fieldRef: { apiVersion: 'v1', fieldPath: 'status.hostIP' } }, '192.0.2.7'],
    ['a resource without a limit', { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } }, '4000'],
    [
      'a resource of a container',
      { resourceFieldRef: { containerName: 'c', resource: 'limits.memory', divisor: '1Gi' } },
      '8',
    ],
    ['a key of a ConfigMap', { configMapKeyRef: { name: 'settings', key: 'A' } }, 'from-map'],
    ['a key of a Secret', { secretKeyRef: { name: 'keys', key: 'TOKEN' } }, 't0p'],
    ['a key of a file', { fileKeyRef: { volumeName: 'v', path: 'a.env', key: 'A' } }, 'from file'],
  ])('reads the value of %s', async (_, valueFrom, value) => {
    expect(await envOf(valueFrom)).toEqual([['X', value]]);
  });

  test('keeps bytes of a Secret that are not text', async () => {
    const [variable] = await envOf({ secretKeyRef: { name: 'keys', key: 'RAW' } });
    expect([...bytesOfText(variable?.[1] ?? '')]).toEqual([0xff]);
  });

  test.each<[JsonObject, string]>([
    [{ configMapKeyRef: { name: 'settings', key: 'Z' } }, "couldn't find key Z in ConfigMap shop/settings"],
    [
      { configMapKeyRef: { name: 'settings', key: 'toString' } },
      "couldn't find key toString in ConfigMap shop/settings",
    ],
    [{ secretKeyRef: { name: 'keys', key: 'Z' } }, "couldn't find key Z in Secret shop/keys"],
    [{ configMapKeyRef: { name: 'none', key: 'Z' } }, 'configmaps "none" not found'],
    [{ secretKeyRef: { name: 'none', key: 'Z' } }, 'secrets "none" not found'],
    [{ fileKeyRef: { volumeName: 'w', path: 'a', key: 'A' } }, 'cannot find the volume "w" referenced by FileKeyRef'],
    [
      { fileKeyRef: { volumeName: 'v', path: 'a', key: 'Z' } },
      'environment variable key "Z" not found in file "/vol/a"',
    ],
    [{ fieldRef: { apiVersion: 'v1', fieldPath: 'spec.x' } }, 'field label not supported: spec.x'],
  ])('rejects a missing %j', async (valueFrom, message) => {
    await expect(envOf(valueFrom)).rejects.toThrow(message);
  });

  test.each<JsonObject>([
    { configMapKeyRef: { name: 'settings', key: 'Z', optional: true } },
    { secretKeyRef: { name: 'keys', key: 'Z', optional: true } },
    { configMapKeyRef: { name: 'none', key: 'Z', optional: true } },
    { secretKeyRef: { name: 'none', key: 'Z', optional: true } },
    { fileKeyRef: { volumeName: 'v', path: 'a', key: 'Z', optional: true } },
  ])('sets no variable for a missing %j', async (valueFrom) => {
    expect(await envOf(valueFrom)).toEqual([]);
  });

  test('rejects a missing object of envFrom unless it is optional', async () => {
    await expect(variables({ envFrom: [{ secretRef: { name: 'none' } }] })).rejects.toThrow('secrets "none" not found');
    const optional = { name: 'none', optional: true };
    expect(await variables({ envFrom: [{ secretRef: optional }, { configMapRef: optional }] })).toEqual([]);
  });

  test('rejects an optional object if the server is unavailable', async () => {
    const secret = async () => Promise.reject(internalError('broken'));
    const valueFrom = { secretKeyRef: { name: 'keys', key: 'Z', optional: true } };
    await expect(envOf(valueFrom, { secret })).rejects.toThrow('broken');
  });

  test('rejects an invalid file without revealing its text', async () => {
    const readBelow = async () => Buffer.from('root:x:0:0');
    const valueFrom = { fileKeyRef: { volumeName: 'v', path: 'a', key: 'A' } };
    await expect(envOf(valueFrom, { readBelow })).rejects.toThrow(/^couldn't parse env file$/);
  });
});

describe('variables of services', () => {
  const services = () => undefined;

  test('delays a pod until services have been listed', async () => {
    await expect(variables({}, { services })).rejects.toThrow(
      'services have not yet been read at least once, cannot construct envvars',
    );
  });

  test('does not delay a static pod', async () => {
    const pod = podOf(
      { enableServiceLinks: true, containers: [{ name: 'c' }] },
      { annotations: { 'kubernetes.io/config.source': 'file' } },
    );
    expect(await makeEnvironmentVariables(pod, containerOf(pod), place, ports({ services }))).toEqual([]);
  });

  test('follows enableServiceLinks of the pod', async () => {
    const pod = podOf({ containers: [{ name: 'c' }] });
    await expect(makeEnvironmentVariables(pod, containerOf(pod), place, ports())).rejects.toThrow(
      'nil pod.spec.enableServiceLinks encountered, cannot construct envvars',
    );
  });
});
