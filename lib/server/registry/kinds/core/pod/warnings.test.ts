import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aContainer, aPod, volume } from './builders.ts';
import { podStrategy } from './strategy.ts';

const env = (...list: [string, string][]): JsonObject => ({
  containers: [aContainer({ env: list.map(([name, value]) => ({ name, value })) })],
});
const ports = (...list: JsonObject[]): JsonObject => ({ containers: [aContainer({ ports: list })] });

test.each<[string, JsonObject, string[]]>([
  ['does not warn of a plain pod', {}, []],
  [
    'warns of a replaced node label',
    { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'warns of a spread constraint without a selector',
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] },
    ['spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [
    'warns of a volume plugin that is gone',
    { volumes: [volume('v', { glusterfs: { endpoints: 'e', path: 'p' } })] },
    ['spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ],
  [
    'warns of files of one volume that overlap',
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
    'warns of a pull secret without a name',
    { imagePullSecrets: [{}] },
    ['spec.imagePullSecrets[0].name: invalid empty name ""'],
  ],
  [
    'warns of a fraction of a byte',
    { containers: [aContainer({ resources: { requests: { memory: '1m' } } })] },
    ['spec.containers[0].resources.requests[memory]: fractional byte value "1m" is invalid, must be an integer'],
  ],
  [
    'warns of a variable that hides another',
    env(['A', '1'], ['A', '2']),
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  ['does not warn of a variable that is built from another', env(['A', '1'], ['A', '$(A)2']), []],
  [
    'warns of a port and a port name that occur twice',
    ports({ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'a' }),
    [
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[1]: duplicate port name "a" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ],
  ],
  [
    'warns of an address in another than the canonical form',
    { dnsConfig: { nameservers: ['FD00:0:0::1'] } },
    ['spec.dnsConfig.nameservers[0]: IPv6 address "FD00:0:0::1" should be in RFC 5952 canonical format ("fd00::1")'],
  ],
])('%s', (_, spec, expected) => {
  expect(podStrategy.warnings?.(aPod(spec))).toEqual(expected);
});

test('warns of a name that is no DNS label', () => {
  expect(podStrategy.warnings?.(aPod({}, { name: 'a.b' }))).toEqual([
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
  ]);
});

test('does not warn on updates', () => {
  expect(podStrategy.warnings?.(aPod({}, { name: 'a.b' }), aPod())).toEqual([]);
});
