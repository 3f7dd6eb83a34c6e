import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aContainer, aPod, volume } from './builders.ts';
import { podStrategy } from './strategy.ts';

const env = (...list: [string, string][]): JsonObject => ({
  containers: [aContainer({ env: list.map(([name, value]) => ({ name, value })) })],
});
const ports = (...list: JsonObject[]): JsonObject => ({ containers: [aContainer({ ports: list })] });

test.each<[string, JsonObject, string[]]>([
  ['nothing', {}, []],
  [
    'an old node label',
    { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'a selector of nothing',
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] },
    ['spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [
    'a plugin that is gone',
    { volumes: [volume('v', { glusterfs: { endpoints: 'e', path: 'p' } })] },
    ['spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ],
  [
    "files in each other's place",
    {
      volumes: [
        volume('v', {
          configMap: {
            name: 'c',
            items: [
              { key: 'a', path: 'x' },
              { key: 'b', path: 'x/y' },
            ],
          },
        }),
      ],
    },
    ['volume "v" (ConfigMap "c"): overlapping paths: "x/y" with "x"'],
  ],
  ['a secret without a name', { imagePullSecrets: [{}] }, ['spec.imagePullSecrets[0].name: invalid empty name ""']],
  [
    'parts of bytes',
    { containers: [aContainer({ resources: { requests: { memory: '1m' } } })] },
    ['spec.containers[0].resources.requests[memory]: fractional byte value "1m" is invalid, must be an integer'],
  ],
  [
    'a variable that hides another',
    env(['A', '1'], ['A', '2']),
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  ['one that is built from it', env(['A', '1'], ['A', '$(A)2']), []],
  [
    'a port twice',
    ports({ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'a' }),
    [
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[1]: duplicate port name "a" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ],
  ],
  [
    'an address that is not canonical',
    { dnsConfig: { nameservers: ['FD00:0:0::1'] } },
    ['spec.dnsConfig.nameservers[0]: IPv6 address "FD00:0:0::1" should be in RFC 5952 canonical format ("fd00::1")'],
  ],
])('%s', (_, spec, expected) => {
  expect(podStrategy.warnings?.(aPod(spec))).toEqual(expected);
});

test('a name that is no label', () => {
  expect(podStrategy.warnings?.(aPod({}, { name: 'a.b' }))).toEqual([
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
  ]);
});

test('updates warn of nothing', () => {
  expect(podStrategy.warnings?.(aPod({}, { name: 'a.b' }), aPod())).toEqual([]);
});
