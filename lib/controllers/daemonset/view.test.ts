import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { DaemonSet } from '#lib/api/types/apps.v1.ts';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { DAEMON_SETS, NODES, PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { decide } from './decide.ts';
import { limitsOf, placementOn, viewOf } from './view.ts';

const aNode = (name: string, ...taints: JsonObject[]): Node =>
  decodedAs(NODES, { metadata: { name }, spec: { taints } });
const aSet = (spec: JsonObject = {}, rollingUpdate: JsonObject = { maxUnavailable: 1 }): DaemonSet =>
  decodedAs(DAEMON_SETS, {
    metadata: { name: 'agent', namespace: 'here' },
    spec: { template: { spec }, updateStrategy: { type: 'RollingUpdate', rollingUpdate } },
  });
const named = (key: string, effect: string): JsonObject => ({ key: `node.kubernetes.io/${key}`, effect });

describe('a node with this taint', () => {
  test.each<[JsonObject, JsonObject, boolean, boolean]>([
    [named('unschedulable', 'NoSchedule'), {}, true, true],
    [named('not-ready', 'NoExecute'), {}, true, true],
    [named('not-ready', 'NoSchedule'), {}, false, true],
    [named('network-unavailable', 'NoSchedule'), {}, false, true],
    [named('network-unavailable', 'NoSchedule'), { hostNetwork: true }, true, true],
    [{ key: 'k', effect: 'PreferNoSchedule' }, {}, true, true],
    [{ key: 'k', effect: 'NoExecute' }, {}, false, false],
    [{ key: 'k', value: 'v', effect: 'NoExecute' }, { tolerations: [{ key: 'k', value: 'v' }] }, true, true],
    [{ key: 'k', value: 'v', effect: 'NoExecute' }, { tolerations: [{ key: 'k', value: 'w' }] }, false, false],
    [{ key: 'k', value: 'v', effect: 'NoSchedule' }, { tolerations: [{ operator: 'Exists' }] }, true, true],
    [{ key: 'k', effect: 'NoSchedule' }, { nodeName: 'other' }, false, false],
  ])('%j, pods %j: gets one %s, keeps one %s', (taint, spec, shouldRun, mayStay) => {
    expect(placementOn(aSet(spec), aNode('a', taint))).toEqual({ shouldRun, mayStay });
  });
});

test.each<[JsonObject, number, { surge: number; unavailable: number }]>([
  [{ maxUnavailable: '30%', maxSurge: 0 }, 4, { surge: 0, unavailable: 2 }],
  [{ maxUnavailable: 0, maxSurge: '10%' }, 4, { surge: 1, unavailable: 0 }],
  [{ maxUnavailable: 0, maxSurge: 0 }, 4, { surge: 0, unavailable: 1 }],
  [{ maxUnavailable: 3 }, 0, { surge: 0, unavailable: 3 }],
])('%j of %i nodes is %j', (rolling, nodes, expected) => {
  expect(limitsOf(aSet({}, rolling), nodes)).toEqual(expected);
});

describe('on one node', () => {
  const pod = (name: string, more: JsonObject = {}, isReady = true, revision = 'old'): Pod =>
    decodedAs(PODS, {
      metadata: { name, namespace: 'here', labels: { 'controller-revision-hash': revision }, ...more },
      spec: { nodeName: 'a' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
    });
  const going = { deletionTimestamp: '2024-01-01T00:00:00Z' };
  const surge = { maxSurge: 1, maxUnavailable: 0 };
  const inPlace = { maxUnavailable: 1 };

  test.each<[string, JsonObject, Pod[], string[], string[]]>([
    ['a pod comes where there is none', inPlace, [], ['a'], []],
    ['an old one goes first', inPlace, [pod('p')], [], ['p']],
    ['none comes before the old one is gone', inPlace, [pod('p', going)], [], []],
    ['the new one comes while the old one goes', surge, [pod('p', going)], ['a'], []],
    ['the new one comes beside the old one', surge, [pod('p')], ['a'], []],
    ['the old one waits for the new one', surge, [pod('p'), pod('q', {}, false, 'new')], [], []],
    ['the old one goes when the new one is available', surge, [pod('p'), pod('q', {}, true, 'new')], [], ['p']],
    ['the old one goes when it is not ready', surge, [pod('p', {}, false), pod('q', {}, false, 'new')], [], ['p']],
    ['a third one goes', surge, [pod('p'), pod('q'), pod('r', {}, false, 'new')], [], ['q']],
    ['the younger of two goes', inPlace, [pod('q'), pod('p')], [], ['q']],
  ])('%s', (_, rolling, pods, create, remove) => {
    const view = viewOf({ set: aSet({}, rolling), pods, nodes: [aNode('a')], hash: 'new', now: 0 });
    const decision = decide(view, () => 0);
    expect(decision.create).toEqual(create);
    expect(decision.remove.map(({ pod: one }) => nameOf(one))).toEqual(remove);
  });

  test('keeps a pod that failed for a while', () => {
    const failed = decodedAs(PODS, { ...pod('p'), status: { phase: 'Failed' } });
    const view = viewOf({ set: aSet(), pods: [failed], nodes: [aNode('a')], hash: 'old', now: 0 });
    expect(decide(view, () => 500)).toEqual({ create: [], remove: [], lookIn: 500 });
    expect(decide(view, () => 0).remove).toMatchObject([{ pod: failed, failedOn: 'a' }]);
  });
});
