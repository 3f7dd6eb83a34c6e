import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { filterOn, isQueuedOn, scoresOn } from '#lib/scheduler/testing/extension-points.ts';
import { aNode, aNodeInfo, aPod } from '#lib/scheduler/testing/wrappers.ts';
import { taintToleration } from './taint-toleration.ts';

/** Parses a taint such as `key=value:Effect`. */
function parse(text: string): JsonObject {
  const [pair = '', effect = ''] = text.split(':');
  const [key = '', value] = pair.split('=');
  return { key, effect, ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }) };
}
function taint(text: string): JsonObject {
  const { key = '', value = '', effect = '' } = parse(text);
  return { key, value, effect };
}
const tolerating = (...tolerations: string[]): Pod => aPod({ spec: { tolerations: tolerations.map(parse) } });
const tainted = (...taints: string[]): JsonObject => aNode({ taints: taints.map(taint) });

describe('the filter of TaintToleration', () => {
  test.each<[string, string[], string[], boolean]>([
    ['no toleration for a taint', [], ['dedicated=user1:NoSchedule'], false],
    ['an equal toleration', ['dedicated=user1:NoSchedule'], ['dedicated=user1:NoSchedule'], true],
    ['another value', ['dedicated=user2:NoSchedule'], ['dedicated=user1:NoSchedule'], false],
    ['any value', ['foo:NoSchedule'], ['foo=bar:NoSchedule'], true],
    [
      'two tolerations for two taints',
      ['dedicated=user2:NoSchedule', 'foo:NoSchedule'],
      ['dedicated=user2:NoSchedule', 'foo=bar:NoSchedule'],
      true,
    ],
    ['another effect', ['foo=bar:PreferNoSchedule'], ['foo=bar:NoSchedule'], false],
    ['any effect', ['foo=bar:'], ['foo=bar:NoSchedule'], true],
    ['no toleration for NoExecute', [], ['foo=bar:NoExecute'], false],
    ['a PreferNoSchedule taint', ['dedicated=user2:NoSchedule'], ['dedicated=user1:PreferNoSchedule'], true],
  ])('checks tolerations against taints: %s', (_, tolerations, taints, fits) => {
    const refused = { code: 'UnschedulableAndUnresolvable', reasons: ['node(s) had untolerated taint(s)'] };
    const outcome = filterOn(taintToleration(), tolerating(...tolerations), aNodeInfo({ taints: taints.map(taint) }));
    expect(outcome).toEqual(fits ? undefined : refused);
  });
});

describe('the score of TaintToleration', () => {
  const avoided = (key: string): string => `${key}=v:PreferNoSchedule`;
  test.each<[string, string[], string[][], number[]]>([
    ['tolerated taints do not count', [avoided('a')], [[avoided('a')], ['a=w:PreferNoSchedule']], [100, 0]],
    [
      'any number of tolerated taints',
      [avoided('a'), avoided('b')],
      [[], [avoided('a')], [avoided('a'), avoided('b')]],
      [100, 100, 100],
    ],
    [
      'more taints mean a lower score',
      [avoided('a')],
      [[], [avoided('b')], [avoided('b'), avoided('c')]],
      [100, 50, 0],
    ],
    [
      'other effects do not count',
      [avoided('a'), 'b=v:NoSchedule'],
      [[], ['b=v:NoSchedule'], [avoided('b'), avoided('c')]],
      [100, 100, 0],
    ],
    ['nothing is tolerated', [], [[], [avoided('a')]], [100, 0]],
    ['no taints at all', [], [[], []], [100, 100]],
  ])('scores nodes by untolerated PreferNoSchedule taints: %s', (_, tolerations, nodes, expected) => {
    const infos = nodes.map((taints, i) => aNodeInfo({ name: `n${i}`, taints: taints.map(taint) }));
    expect(scoresOn(taintToleration(), tolerating(...tolerations), infos)).toEqual(expected);
  });
});

describe('TaintToleration: queueing hints', () => {
  const pod = tolerating('foo=bar:NoSchedule');
  test.each<[string, JsonObject | undefined, JsonObject, boolean]>([
    ['no for a new node that it does not tolerate', undefined, tainted('foo=x:NoSchedule'), false],
    ['yes for a new node that it tolerates', undefined, tainted('foo=bar:NoSchedule'), true],
    ['no for a node that it already tolerated', tainted(), tainted('foo=bar:NoSchedule'), false],
    ['no for a node that it still does not tolerate', tainted('foo=x:NoSchedule'), tainted('foo=y:NoSchedule'), false],
    ['yes for a node that lost a taint', tainted('foo=x:NoSchedule'), tainted(), true],
  ])('decide whether to retry a waiting pod: %s', (_, before, after, expected) => {
    const change = before === undefined ? { after } : { before, after };
    expect(isQueuedOn(taintToleration(), ['Node', 'Add'], pod, change)).toBe(expected);
  });

  test('retry a pod when its own tolerations change', () => {
    const plugin = taintToleration();
    const other = aPod({ name: 'other' });
    expect(isQueuedOn(plugin, ['Pod', 'UpdatePodToleration'], pod, { before: pod, after: pod })).toBe(true);
    expect(isQueuedOn(plugin, ['Pod', 'UpdatePodToleration'], pod, { before: other, after: other })).toBe(false);
  });
});
