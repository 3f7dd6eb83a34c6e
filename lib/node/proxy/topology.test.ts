import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import type { ServicePort } from './service-port.ts';
import { anEndpoint, aServicePort, NODE } from './testing/services.ts';
import { categorizeEndpoints } from './topology.ts';

interface Expected {
  readonly cluster: readonly number[];
  readonly local: readonly number[];
  readonly reachable: readonly number[];
  readonly hasAny: boolean;
}

const CLUSTER = aServicePort();
const INTERNAL_LOCAL = aServicePort({ internalPolicyLocal: true });
const EXTERNAL_LOCAL = aServicePort({ externalPolicyLocal: true, nodePort: 30080 });
const BOTH_LOCAL = aServicePort({ internalPolicyLocal: true, externalPolicyLocal: true, nodePort: 30080 });
const LOCAL = { isLocal: true };
const ENDING = { isReady: false, isServing: true, isTerminating: true };
const BROKEN = { isReady: false, isServing: false };
const zone = (name: string) => ({ zoneHints: [name] });
const node = (name: string) => ({ nodeHints: [name] });

const all = (...reachable: readonly number[]): Expected => ({ cluster: reachable, local: [], reachable, hasAny: true });
const NONE: Expected = { cluster: [], local: [], reachable: [], hasAny: false };

test.each<[string, ServicePort, readonly Endpoint[], Expected]>([
  ['no endpoints', CLUSTER, [], NONE],
  ['ready endpoints alone', CLUSTER, [anEndpoint(1), anEndpoint(2, BROKEN), anEndpoint(3, ENDING)], all(1)],
  ['terminating endpoints where none is ready', CLUSTER, [anEndpoint(1, BROKEN), anEndpoint(2, ENDING)], all(2)],
  ['no endpoint that does not serve', CLUSTER, [anEndpoint(1, BROKEN)], NONE],
  ['endpoints of the zone', CLUSTER, [anEndpoint(1, zone('a')), anEndpoint(2, zone('b'))], all(1)],
  ['all where one has no hint', CLUSTER, [anEndpoint(1, zone('a')), anEndpoint(2)], all(1, 2)],
  ['all where no hint is for the zone', CLUSTER, [anEndpoint(1, zone('b')), anEndpoint(2, zone('c'))], all(1, 2)],
  ['hints of ready endpoints alone', CLUSTER, [anEndpoint(1, zone('a')), anEndpoint(2, BROKEN)], all(1)],
  [
    'the node before the zone',
    CLUSTER,
    [anEndpoint(1, { ...node(NODE), ...zone('a') }), anEndpoint(2, { ...node('n2'), ...zone('a') })],
    all(1),
  ],
  [
    'the zone where no hint is for the node',
    CLUSTER,
    [anEndpoint(1, { ...node('n3'), ...zone('a') }), anEndpoint(2, { ...node('n2'), ...zone('b') })],
    all(1),
  ],
  [
    'local endpoints for internal packets',
    INTERNAL_LOCAL,
    [anEndpoint(1, LOCAL), anEndpoint(2)],
    { cluster: [], local: [1], reachable: [1], hasAny: true },
  ],
  [
    'no local endpoint, but others',
    INTERNAL_LOCAL,
    [anEndpoint(2)],
    { cluster: [], local: [], reachable: [], hasAny: true },
  ],
  [
    'a local one that terminates where no local one is ready',
    INTERNAL_LOCAL,
    [anEndpoint(1, { ...LOCAL, ...ENDING }), anEndpoint(2)],
    { cluster: [], local: [1], reachable: [1], hasAny: true },
  ],
  [
    'both policies',
    EXTERNAL_LOCAL,
    [anEndpoint(1, LOCAL), anEndpoint(2)],
    { cluster: [1, 2], local: [1], reachable: [1, 2], hasAny: true },
  ],
  [
    'both policies with a local one that terminates',
    EXTERNAL_LOCAL,
    [anEndpoint(1, { ...LOCAL, ...ENDING }), anEndpoint(2)],
    { cluster: [2], local: [1], reachable: [2, 1], hasAny: true },
  ],
  [
    'both policies with a local one of another zone',
    EXTERNAL_LOCAL,
    [anEndpoint(1, { ...LOCAL, ...zone('b') }), anEndpoint(2, zone('a'))],
    { cluster: [2], local: [1], reachable: [2, 1], hasAny: true },
  ],
  [
    'Cluster for the node itself although both policies are Local',
    BOTH_LOCAL,
    [anEndpoint(1, LOCAL), anEndpoint(2)],
    { cluster: [1, 2], local: [1], reachable: [1, 2], hasAny: true },
  ],
])('uses the expected endpoints: %s', (_, port, endpoints, expected) => {
  const { cluster, local, reachable, hasAny } = categorizeEndpoints(endpoints, port, { node: NODE, zone: 'a' });
  const numbers = (found: readonly Endpoint[]): number[] => found.map(({ ip }) => Number(ip.split('.')[3]));
  expect({ cluster: numbers(cluster), local: numbers(local), reachable: numbers(reachable), hasAny }).toEqual(expected);
});
