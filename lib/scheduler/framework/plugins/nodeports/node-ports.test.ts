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
  ['no ports', [], [], SKIP],
  ['another port', ['UDP/127.0.0.1/8080'], ['UDP/127.0.0.1/9090'], undefined],
  ['the same port of UDP', ['UDP/127.0.0.1/8080'], ['UDP/127.0.0.1/8080'], taken],
  ['the same port of TCP', ['TCP/127.0.0.1/8080'], ['TCP/127.0.0.1/8080'], taken],
  ['another address', ['TCP/127.0.0.1/8080'], ['TCP/127.0.0.2/8080'], undefined],
  ['another protocol', ['UDP/127.0.0.1/8080'], ['TCP/127.0.0.1/8080'], undefined],
  ['a second port', ['UDP/127.0.0.1/8000', 'UDP/127.0.0.1/8080'], ['UDP/127.0.0.1/8080'], taken],
  ['one of several', ['TCP/127.0.0.1/8001', 'UDP/127.0.0.1/8080'], ['TCP/127.0.0.1/8001', 'UDP/127.0.0.1/8081'], taken],
  ['all addresses wanted', ['TCP/0.0.0.0/8001'], ['TCP/127.0.0.1/8001'], taken],
  ['all addresses taken', ['TCP/127.0.0.1/8001'], ['TCP/0.0.0.0/8001'], taken],
  ['no address named', ['TCP//8001'], ['TCP/127.0.0.1/8001'], taken],
  ['all addresses, other protocols', ['UDP/127.0.0.1/8001'], ['TCP/0.0.0.0/8001'], undefined],
])('%s', (_, wanted, used, expected) => {
  const node = aNodeInfo({}, withPorts([], { name: 'empty' }), withPorts(used, { name: 'other' }));
  expect(filterOn(nodePorts(), withPorts(wanted), node)).toEqual(expected);
});

test.each<[string, string | undefined, Outcome]>([
  ['do not count, of those that end', undefined, SKIP],
  ['count, of sidecars', 'Always', taken],
])('ports of init containers %s', (_, restartPolicy, expected) => {
  const ports = [portOf('TCP//8001')];
  const pod = aPod({
    spec: { initContainers: [{ name: 'i', ports, ...defined({ restartPolicy }) }] },
  });
  expect(filterOn(nodePorts(), pod, aNodeInfo({}, withPorts(['TCP//8001'], { name: 'other' })))).toEqual(expected);
});

describe('a waiting pod is tried again when another is deleted', () => {
  const waiting = withPorts(['TCP/127.0.0.1/8080']);
  test.each<[string, JsonObject, boolean]>([
    ['not one without a node', withPorts(['TCP/127.0.0.1/8080']), false],
    ['not one without ports', aPod({ nodeName: 'n' }), false],
    ['not one with others', withPorts(['TCP/127.0.0.1/8081'], { spec: { nodeName: 'n' } }), false],
    ['one with its port', withPorts(['TCP/127.0.0.1/8080'], { spec: { nodeName: 'n' } }), true],
    ['one nominated', withPorts(['TCP/127.0.0.1/8080'], { status: { nominatedNodeName: 'n' } }), true],
  ])('%s', (_, before, expected) => {
    expect(isQueuedOn(nodePorts(), ['Pod', 'Delete'], waiting, { before })).toBe(expected);
  });
});
