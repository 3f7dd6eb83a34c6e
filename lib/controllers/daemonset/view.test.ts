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

describe('placement on a node with a taint', () => {
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
  ])('computes for taint %j and pod spec %j: should run %s, may stay %s', (taint, spec, shouldRun, mayStay) => {
    expect(placementOn(aSet(spec), aNode('a', taint))).toEqual({ shouldRun, mayStay });
  });
});

test.each<[JsonObject, number, { surge: number; unavailable: number }]>([
  [{ maxUnavailable: '30%', maxSurge: 0 }, 4, { surge: 0, unavailable: 2 }],
  [{ maxUnavailable: 0, maxSurge: '10%' }, 4, { surge: 1, unavailable: 0 }],
  [{ maxUnavailable: 0, maxSurge: 0 }, 4, { surge: 0, unavailable: 1 }],
  [{ maxUnavailable: 3 }, 0, { surge: 0, unavailable: 3 }],
])('the limits of %j on %i nodes are %j', (rolling, nodes, expected) => {
  expect(limitsOf(aSet({}, rolling), nodes)).toEqual(expected);
});

describe('a rolling update on one node', () => {
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
    ['creates a missing pod', inPlace, [], ['a'], []],
    ['deletes the old pod first', inPlace, [pod('p')], [], ['p']],
    ['creates no pod before the old one is gone', inPlace, [pod('p', going)], [], []],
    ['with surge, creates the new pod while the old one terminates', surge, [pod('p', going)], ['a'], []],
    ['with surge, creates the new pod beside the old one', surge, [pod('p')], ['a'], []],
    [
      'with surge, keeps the old pod until the new one is available',
      surge,
      [pod('p'), pod('q', {}, false, 'new')],
      [],
      [],
    ],
    [
      'with surge, deletes the old pod once the new one is available',
      surge,
      [pod('p'), pod('q', {}, true, 'new')],
      [],
      ['p'],
    ],
    ['with surge, deletes an unready old pod', surge, [pod('p', {}, false), pod('q', {}, false, 'new')], [], ['p']],
    ['with surge, deletes a third pod', surge, [pod('p'), pod('q'), pod('r', {}, false, 'new')], [], ['q']],
    ['deletes the younger of two pods', inPlace, [pod('q'), pod('p')], [], ['q']],
  ])('a rolling update %s', (_, rolling, pods, create, remove) => {
    const view = viewOf({ set: aSet({}, rolling), pods, nodes: [aNode('a')], hash: 'new', now: 0 });
    const decision = decide(view, () => 0);
    expect(decision.create).toEqual(create);
    expect(decision.remove.map(({ pod: one }) => nameOf(one))).toEqual(remove);
  });

  test('keeps a failed pod during its backoff', () => {
    const failed = decodedAs(PODS, { ...pod('p'), status: { phase: 'Failed' } });
    const view = viewOf({ set: aSet(), pods: [failed], nodes: [aNode('a')], hash: 'old', now: 0 });
    expect(decide(view, () => 500)).toEqual({ create: [], remove: [], lookIn: 500 });
    expect(decide(view, () => 0).remove).toMatchObject([{ pod: failed, failedOn: 'a' }]);
  });
});
