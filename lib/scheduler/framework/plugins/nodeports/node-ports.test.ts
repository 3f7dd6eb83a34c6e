import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { filterOn, isQueuedOn } from '#lib/scheduler/testing/extension-points.ts';
import { aNodeInfo, aPod, type PodOf } from '#lib/scheduler/testing/wrappers.ts';
import { type Outcome, SKIP } from '../../status.ts';
import { nodePorts } from './node-ports.ts';

/** `TCP/127.0.0.1/80` */
function portOf(text: string): JsonObject {
  const [protocol = '', hostIP = '', port] = text.split('/');
  return { protocol, hostIP, hostPort: Number(port), containerPort: 1 };
}
const withPorts = (ports: readonly string[], of: PodOf = {}): Pod =>
  aPod({ ...of, spec: { ...of.spec, containers: [{ name: 'c', ports: ports.map(portOf) }] } });
const taken = {
  code: 'Unschedulable',
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
} as const;

test.each<[string, string[], string[], Outcome]>([
  ['no host ports', [], [], SKIP],
  ['another port', ['UDP/127.0.0.1/8080'], ['UDP/127.0.0.1/9090'], undefined],
  ['the same port of UDP', ['UDP/127.0.0.1/8080'], ['UDP/127.0.0.1/8080'], taken],
  ['the same port of TCP', ['TCP/127.0.0.1/8080'], ['TCP/127.0.0.1/8080'], taken],
  ['another address', ['TCP/127.0.0.1/8080'], ['TCP/127.0.0.2/8080'], undefined],
  ['another protocol', ['UDP/127.0.0.1/8080'], ['TCP/127.0.0.1/8080'], undefined],
  ['a second port', ['UDP/127.0.0.1/8000', 'UDP/127.0.0.1/8080'], ['UDP/127.0.0.1/8080'], taken],
  [
    'one of several ports taken',
    ['TCP/127.0.0.1/8001', 'UDP/127.0.0.1/8080'],
    ['TCP/127.0.0.1/8001', 'UDP/127.0.0.1/8081'],
    taken,
  ],
  ['all addresses requested', ['TCP/0.0.0.0/8001'], ['TCP/127.0.0.1/8001'], taken],
  ['all addresses taken', ['TCP/127.0.0.1/8001'], ['TCP/0.0.0.0/8001'], taken],
  ['no address named', ['TCP//8001'], ['TCP/127.0.0.1/8001'], taken],
  ['all addresses, with other protocols', ['UDP/127.0.0.1/8001'], ['TCP/0.0.0.0/8001'], undefined],
])('filters a pod with host ports: %s', (_, wanted, used, expected) => {
  const node = aNodeInfo({}, withPorts([], { name: 'empty' }), withPorts(used, { name: 'other' }));
  expect(filterOn(nodePorts(), withPorts(wanted), node)).toEqual(expected);
});

test.each<[string, string | undefined, Outcome]>([
  ['not of containers that end', undefined, SKIP],
  ['only of sidecars', 'Always', taken],
])('counts host ports of init containers: %s', (_, restartPolicy, expected) => {
  const ports = [portOf('TCP//8001')];
  const pod = aPod({
    spec: { initContainers: [{ name: 'i', ports, ...defined({ restartPolicy }) }] },
  });
  expect(filterOn(nodePorts(), pod, aNodeInfo({}, withPorts(['TCP//8001'], { name: 'other' })))).toEqual(expected);
});

describe('NodePorts: queueing hints for a deleted pod', () => {
  const waiting = withPorts(['TCP/127.0.0.1/8080']);
  test.each<[string, JsonObject, boolean]>([
    ['no for a pod without a node', withPorts(['TCP/127.0.0.1/8080']), false],
    ['no for a pod without host ports', aPod({ nodeName: 'n' }), false],
    ['no for a pod with other ports', withPorts(['TCP/127.0.0.1/8081'], { spec: { nodeName: 'n' } }), false],
    ['yes for a pod with the same port', withPorts(['TCP/127.0.0.1/8080'], { spec: { nodeName: 'n' } }), true],
    [
      'yes for a nominated pod with the same port',
      withPorts(['TCP/127.0.0.1/8080'], { status: { nominatedNodeName: 'n' } }),
      true,
    ],
  ])('decide whether to retry a waiting pod: %s', (_, before, expected) => {
    expect(isQueuedOn(nodePorts(), ['Pod', 'Delete'], waiting, { before })).toBe(expected);
  });
});
