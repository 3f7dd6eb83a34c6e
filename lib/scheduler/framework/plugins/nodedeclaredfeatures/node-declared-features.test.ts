import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { filterOn, isQueuedOn } from '#lib/scheduler/testing/extension-points.ts';
import { aNode, aNodeInfo, aPod } from '#lib/scheduler/testing/wrappers.ts';
import { SKIP } from '../../status.ts';
import { nodeDeclaredFeatures } from './node-declared-features.ts';

const RESTART = 'RestartAllContainersOnContainerExits';
const NETWORK = 'UserNamespacesHostNetworkSupport';
const restarting: JsonObject = { name: 'c', restartPolicyRules: [{ action: 'RestartAllContainers' }] };
const onHost: JsonObject = { hostNetwork: true, hostUsers: false };
const declaring = (...declaredFeatures: string[]) => ({ status: { declaredFeatures } });

test.each<[string, JsonObject, string[], unknown]>([
  ['asks for nothing', {}, [], SKIP],
  ['shares network and users', { hostNetwork: true }, [], SKIP],
  ['restarts all, where that can be', { containers: [restarting] }, [RESTART], undefined],
  ['restarts all, where it cannot', { initContainers: [restarting] }, [NETWORK], 'refused'],
  ['shares the network only, where that can be', onHost, [RESTART, NETWORK], undefined],
  ['shares the network only, where it cannot', onHost, [], 'refused'],
])('a pod that %s', (_, spec, declared, expected) => {
  const refused = { code: 'UnschedulableAndUnresolvable', reasons: ["node(s) didn't match Pod's required features"] };
  const outcome = filterOn(nodeDeclaredFeatures(), aPod({ spec }), aNodeInfo(declaring(...declared)));
  expect(outcome).toEqual(expected === 'refused' ? refused : expected);
});

describe('a waiting pod is tried again', () => {
  const waiting = aPod({ spec: onHost });
  test.each<[string, string[] | undefined, string[], boolean]>([
    ['for a new node', undefined, [], true],
    ['for one that declares more', [], [NETWORK], true],
    ['not for one that declares the same', [RESTART], [RESTART], false],
  ])('%s', (_, before, after, expected) => {
    const change = {
      after: aNode(declaring(...after)),
      ...(before === undefined ? {} : { before: aNode(declaring(...before)) }),
    };
    expect(isQueuedOn(nodeDeclaredFeatures(), ['Node', 'UpdateNodeDeclaredFeature'], waiting, change)).toBe(expected);
  });

  test('when it asks for something else itself', () => {
    const [plugin, event] = [nodeDeclaredFeatures(), ['Pod', 'Update']] as const;
    expect(isQueuedOn(plugin, event, waiting, { before: waiting, after: aPod() })).toBe(true);
    expect(isQueuedOn(plugin, event, waiting, { before: waiting, after: waiting })).toBe(false);
    const [before, after] = [waiting, aPod()].map((pod) => ({ ...pod, metadata: { uid: 'other' } }));
    expect(isQueuedOn(plugin, event, waiting, { before: before ?? {}, after: after ?? {} })).toBe(false);
  });
});
