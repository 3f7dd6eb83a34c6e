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
  ['needs no feature', {}, [], SKIP],
  ['shares the host network and users', { hostNetwork: true }, [], SKIP],
  ['restarts all containers on a node that supports it', { containers: [restarting] }, [RESTART], undefined],
  ['restarts all containers on a node without support', { initContainers: [restarting] }, [NETWORK], 'refused'],
  ['shares only the host network on a node that supports it', onHost, [RESTART, NETWORK], undefined],
  ['shares only the host network on a node without support', onHost, [], 'refused'],
])('filters a pod that %s', (_, spec, declared, expected) => {
  const refused = { code: 'UnschedulableAndUnresolvable', reasons: ["node(s) didn't match Pod's required features"] };
  const outcome = filterOn(nodeDeclaredFeatures(), aPod({ spec }), aNodeInfo(declaring(...declared)));
  expect(outcome).toEqual(expected === 'refused' ? refused : expected);
});

describe('NodeDeclaredFeatures: queueing hints', () => {
  const waiting = aPod({ spec: onHost });
  test.each<[string, string[] | undefined, string[], boolean]>([
    ['yes for a new node', undefined, [], true],
    ['yes for a node that declares more', [], [NETWORK], true],
    ['no for a node that declares the same', [RESTART], [RESTART], false],
  ])('decide whether to retry a waiting pod: %s', (_, before, after, expected) => {
    const change = {
      after: aNode(declaring(...after)),
      ...(before === undefined ? {} : { before: aNode(declaring(...before)) }),
    };
    expect(isQueuedOn(nodeDeclaredFeatures(), ['Node', 'UpdateNodeDeclaredFeature'], waiting, change)).toBe(expected);
  });

  test('retry a pod that changes the features it needs', () => {
    const [plugin, event] = [nodeDeclaredFeatures(), ['Pod', 'Update']] as const;
    expect(isQueuedOn(plugin, event, waiting, { before: waiting, after: aPod() })).toBe(true);
    expect(isQueuedOn(plugin, event, waiting, { before: waiting, after: waiting })).toBe(false);
    const [before, after] = [waiting, aPod()].map((pod) => ({ ...pod, metadata: { uid: 'other' } }));
    expect(isQueuedOn(plugin, event, waiting, { before: before ?? {}, after: after ?? {} })).toBe(false);
  });
});
