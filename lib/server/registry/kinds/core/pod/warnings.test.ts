import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aContainer, aPod, volume } from './builders.ts';
import { podStrategy } from './strategy.ts';

const env = (...list: [string, string][]): JsonObject => ({
  containers: [aContainer({ env: list.map(([name, value]) => ({ name, value })) })],
});
const ports = (...list: JsonObject[]): JsonObject => ({ containers: [aContainer({ ports: list })] });

test.each<[string, JsonObject, string[]]>([
  ['does not warn about a plain pod', {}, []],
  [
    'warns about a replaced node label',
    { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'warns about a spread constraint without a selector',
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] },
    ['spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [
    'warns about a removed volume plugin',
    { volumes: [volume('v', { glusterfs: { endpoints: 'e', path: 'p' } })] },
    ['spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ],
  [
    'warns about overlapping files of one volume',
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
  [
    'warns about a pull secret without a name',
    { imagePullSecrets: [{}] },
    ['spec.imagePullSecrets[0].name: invalid empty name ""'],
  ],
  [
    'warns about a fraction of a byte',
    { containers: [aContainer({ resources: { requests: { memory: '1m' } } })] },
    ['spec.containers[0].resources.requests[memory]: fractional byte value "1m" is invalid, must be an integer'],
  ],
  [
    'warns about a variable that hides another one',
    env(['A', '1'], ['A', '2']),
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  ['does not warn about a variable that refers to the one it hides', env(['A', '1'], ['A', '$(A)2']), []],
  [
    'warns about a duplicate port and a duplicate port name',
    ports({ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'a' }),
    [
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[1]: duplicate port name "a" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ],
  ],
  [
    'warns about an address that is not canonical',
    { dnsConfig: { nameservers: ['FD00:0:0::1'] } },
    ['spec.dnsConfig.nameservers[0]: IPv6 address "FD00:0:0::1" should be in RFC 5952 canonical format ("fd00::1")'],
  ],
])('pod creation %s', (_, spec, expected) => {
  expect(podStrategy.warnings?.(aPod(spec))).toEqual(expected);
});

test('warns about a name that is not a DNS label', () => {
  expect(podStrategy.warnings?.(aPod({}, { name: 'a.b' }))).toEqual([
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
  ]);
});

test('does not warn on updates', () => {
  expect(podStrategy.warnings?.(aPod({}, { name: 'a.b' }), aPod())).toEqual([]);
});
