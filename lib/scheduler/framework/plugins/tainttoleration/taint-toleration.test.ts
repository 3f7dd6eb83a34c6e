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

describe('a pod with tolerations on a node with taints', () => {
  test.each<[string, string[], string[], boolean]>([
    ['none for a taint', [], ['dedicated=user1:NoSchedule'], false],
    ['the same', ['dedicated=user1:NoSchedule'], ['dedicated=user1:NoSchedule'], true],
    ['another value', ['dedicated=user2:NoSchedule'], ['dedicated=user1:NoSchedule'], false],
    ['any value', ['foo:NoSchedule'], ['foo=bar:NoSchedule'], true],
    [
      'two for two',
      ['dedicated=user2:NoSchedule', 'foo:NoSchedule'],
      ['dedicated=user2:NoSchedule', 'foo=bar:NoSchedule'],
      true,
    ],
    ['another effect', ['foo=bar:PreferNoSchedule'], ['foo=bar:NoSchedule'], false],
    ['any effect', ['foo=bar:'], ['foo=bar:NoSchedule'], true],
    ['one that would drive it away', [], ['foo=bar:NoExecute'], false],
    ['one that only is to be avoided', ['dedicated=user2:NoSchedule'], ['dedicated=user1:PreferNoSchedule'], true],
  ])('%s', (_, tolerations, taints, fits) => {
    const refused = { code: 'UnschedulableAndUnresolvable', reasons: ['node(s) had untolerated taint(s)'] };
    const outcome = filterOn(taintToleration(), tolerating(...tolerations), aNodeInfo({ taints: taints.map(taint) }));
    expect(outcome).toEqual(fits ? undefined : refused);
  });
});

describe('nodes with taints that are to be avoided come last', () => {
  const avoided = (key: string): string => `${key}=v:PreferNoSchedule`;
  test.each<[string, string[], string[][], number[]]>([
    ['what is tolerated does not count', [avoided('a')], [[avoided('a')], ['a=w:PreferNoSchedule']], [100, 0]],
    [
      'however much it is',
      [avoided('a'), avoided('b')],
      [[], [avoided('a')], [avoided('a'), avoided('b')]],
      [100, 100, 100],
    ],
    ['the more, the less', [avoided('a')], [[], [avoided('b')], [avoided('b'), avoided('c')]], [100, 50, 0]],
    [
      'other effects do not count',
      [avoided('a'), 'b=v:NoSchedule'],
      [[], ['b=v:NoSchedule'], [avoided('b'), avoided('c')]],
      [100, 100, 0],
    ],
    ['nothing tolerated', [], [[], [avoided('a')]], [100, 0]],
    ['no taints at all', [], [[], []], [100, 100]],
  ])('%s', (_, tolerations, nodes, expected) => {
    const infos = nodes.map((taints, i) => aNodeInfo({ name: `n${i}`, taints: taints.map(taint) }));
    expect(scoresOn(taintToleration(), tolerating(...tolerations), infos)).toEqual(expected);
  });
});

describe('a waiting pod is tried again', () => {
  const pod = tolerating('foo=bar:NoSchedule');
  test.each<[string, JsonObject | undefined, JsonObject, boolean]>([
    ['not for a new node that it does not tolerate', undefined, tainted('foo=x:NoSchedule'), false],
    ['for a new node that it tolerates', undefined, tainted('foo=bar:NoSchedule'), true],
    ['not where it was tolerated before', tainted(), tainted('foo=bar:NoSchedule'), false],
    ['not where it is not yet', tainted('foo=x:NoSchedule'), tainted('foo=y:NoSchedule'), false],
    ['where a taint has gone', tainted('foo=x:NoSchedule'), tainted(), true],
  ])('%s', (_, before, after, expected) => {
    const change = before === undefined ? { after } : { before, after };
    expect(isQueuedOn(taintToleration(), ['Node', 'Add'], pod, change)).toBe(expected);
  });

  test('when its own tolerations change', () => {
    const plugin = taintToleration();
    const other = aPod({ name: 'other' });
    expect(isQueuedOn(plugin, ['Pod', 'UpdatePodToleration'], pod, { before: pod, after: pod })).toBe(true);
    expect(isQueuedOn(plugin, ['Pod', 'UpdatePodToleration'], pod, { before: other, after: other })).toBe(false);
  });
});
