import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { filterOn, isQueuedOn } from '#lib/scheduler/testing/extension-points.ts';
import { aHandle, aNode, aNodeInfo, aPod, type PodOf } from '#lib/scheduler/testing/wrappers.ts';
import { nodeResourcesFitArgs } from './args.ts';
import { nodeResourcesFit } from './fit.ts';

/** Parses a resource list such as `cpu=1m memory=2`. */
const listOf = (text: string): JsonObject =>
  Object.fromEntries(text.split(' ').flatMap((pair) => (pair === '' ? [] : [pair.split('=')])));
const containersOf = (...requests: string[]) =>
  requests.map((text, i) => ({ name: `c${i}`, resources: { requests: listOf(text) } }));
/** Parses the requests of containers, and after a slash those of init containers. */
function asking(text: string, of: PodOf = {}): Pod {
  const [containers = '', initContainers = ''] = text.split('/').map((part) => part.trim());
  const split = (part: string): string[] => (part === '' ? [] : part.split(','));
  return aPod({
    ...of,
    spec: {
      containers: containersOf(...split(containers)),
      initContainers: containersOf(...split(initContainers)),
      ...of.spec,
    },
  });
}
const plugin = (args: JsonObject = {}) => nodeResourcesFit(nodeResourcesFitArgs.parse(args), aHandle());

const A = 'example.com~aaa';
const named = (text: string): string => text.replaceAll('~', '/');
const CAPACITY = listOf('cpu=10m memory=20 pods=32 ephemeral-storage=20 hugepages-2Mi=5');
const capacity = { ...CAPACITY, 'example.com/aaa': '5' };

/** Parses the same texts as `asking`, with `~` for the slash in a resource name. */
function askingNamed(text: string, of: PodOf = {}): Pod {
  return JSON.parse(named(JSON.stringify(asking(text, of))));
}

describe('the filter of NodeResourcesFit', () => {
  test.each<[string, string, string, string[], boolean?]>([
    ['a pod without requests fits a full node', '', 'cpu=10m memory=20', []],
    ['too little cpu and memory', 'cpu=1m memory=1', 'cpu=10m memory=20', ['cpu', 'memory']],
    ['too little cpu for an init container', 'cpu=1m memory=1 / cpu=3m memory=1', 'cpu=8m memory=19', ['cpu']],
    [
      'too little cpu for the largest init container',
      'cpu=1m memory=1 / cpu=3m memory=1, cpu=2m memory=1',
      'cpu=8m memory=19',
      ['cpu'],
    ],
    ['too little memory for an init container', 'cpu=1m memory=1 / cpu=1m memory=3', 'cpu=9m memory=19', ['memory']],
    [
      'enough for sequential init containers',
      'cpu=1m memory=1 / cpu=1m memory=1, cpu=1m memory=1',
      'cpu=9m memory=19',
      [],
    ],
    ['enough cpu and memory', 'cpu=1m memory=1', 'cpu=5m memory=5', []],
    ['too little cpu', 'cpu=2m memory=1', 'cpu=9m memory=5', ['cpu']],
    ['too little memory', 'cpu=1m memory=2', 'cpu=5m memory=19', ['memory']],
    ['exactly enough', 'cpu=5m memory=1', 'cpu=5m memory=19', []],
    ['enough ephemeral storage', 'ephemeral-storage=10', 'ephemeral-storage=10', []],
    ['too little ephemeral storage', 'ephemeral-storage=11', 'ephemeral-storage=10', ['ephemeral-storage']],
    ['enough of an extended resource', `${A}=1`, '', []],
    ['an extended resource beyond the capacity', `cpu=1m ${A}=10`, '', [A], true],
    ['an extended resource that is used up', `cpu=1m ${A}=1`, `${A}=5`, [A]],
    ['an extended resource beyond the capacity for two containers', `${A}=3, ${A}=3`, `${A}=2`, [A], true],
    ['enough of an extended resource for two init containers', `/ ${A}=3, ${A}=3`, `${A}=2`, []],
    ['an unknown extended resource', 'example.com~bbb=1', '', ['example.com~bbb'], true],
    ['an unknown resource of kubernetes.io', 'kubernetes.io~something=10', '', ['kubernetes.io~something'], true],
    ['too few huge pages', 'hugepages-2Mi=3, hugepages-2Mi=3', 'hugepages-2Mi=2', ['hugepages-2Mi'], true],
    ['a request of 0 for an extended resource', `cpu=1m memory=1 ${A}=0`, `${A}=6`, []],
    ['cpu beyond the capacity', 'cpu=11m memory=1', '', ['cpu'], true],
    ['cpu beyond the capacity and too little memory', 'cpu=11m memory=1', 'memory=20', ['cpu', 'memory'], true],
  ])('checks the free resources of a node: %s', (_, wanted, used, lacking, never = false) => {
    const node = aNodeInfo({ capacity }, askingNamed(used, { name: 'other' }));
    const reasons = lacking.map((name) => `Insufficient ${named(name)}`);
    const code = never ? 'UnschedulableAndUnresolvable' : 'Unschedulable';
    const expected = lacking.length === 0 ? undefined : { code, reasons };
    expect(filterOn(plugin(), askingNamed(wanted), node)).toEqual(expected);
  });

  test.each<[string, JsonObject, string, string[]]>([
    ['overhead that fits', { overhead: listOf('cpu=3m memory=13') }, 'cpu=1m memory=1', []],
    ['overhead that does not fit', { overhead: listOf('cpu=1m memory=15') }, 'cpu=1m memory=1', ['memory']],
    ['pod-level resources that fit', { resources: { requests: listOf('cpu=1m memory=2') } }, 'cpu=1m memory=1', []],
    ['pod-level resources that do not fit', { resources: { requests: listOf('cpu=7m memory=2') } }, 'cpu=1m', ['cpu']],
  ])('filters a pod that requests %s', (_, spec, wanted, lacking) => {
    const node = aNodeInfo({ capacity }, asking('cpu=5m memory=5', { name: 'other' }));
    const outcome = filterOn(plugin(), asking(wanted, { spec }), node);
    expect(outcome?.reasons ?? []).toEqual(lacking.map((name) => `Insufficient ${name}`));
  });

  test('rejects a pod if the node takes no more pods', () => {
    const node = aNodeInfo({ capacity: { ...capacity, pods: '1' } }, asking('', { name: 'other' }));
    expect(filterOn(plugin(), asking(''), node)).toEqual({ code: 'Unschedulable', reasons: ['Too many pods'] });
    const both = { code: 'Unschedulable', reasons: ['Too many pods', 'Insufficient cpu'] };
    const busy = aNodeInfo({ capacity: { ...capacity, pods: '1' } }, asking('cpu=10m', { name: 'other' }));
    expect(filterOn(plugin(), asking('cpu=1m'), busy)).toEqual(both);
  });

  test.each<[string, JsonObject, string[]]>([
    ['by name', { ignoredResources: ['example.com/bbb'] }, ['Insufficient kubernetes.io/something']],
    ['by group', { ignoredResourceGroups: ['example.com'] }, ['Insufficient kubernetes.io/something']],
    [
      'except native ones',
      { ignoredResourceGroups: ['kubernetes.io'] },
      ['Insufficient example.com/bbb', 'Insufficient kubernetes.io/something'],
    ],
  ])('ignores resources in the arguments %s', (_, args, reasons) => {
    const pod = askingNamed('cpu=1m example.com~bbb=1 kubernetes.io~something=1');
    expect(filterOn(plugin(args), pod, aNodeInfo({ capacity }))?.reasons).toEqual(reasons);
  });
});

describe('NodeResourcesFit: queueing hints for pods', () => {
  const waiting = asking('cpu=1m');
  const placed = (text: string): Pod => asking(text, { name: 'other', nodeName: 'n' });
  test.each<[string, Pod, Pod | undefined, boolean]>([
    ['without a node is deleted (no)', asking('cpu=1m', { name: 'other' }), undefined, false],
    [
      'with a nomination is deleted',
      asking('cpu=1m', { name: 'other', status: { nominatedNodeName: 'n' } }),
      undefined,
      true,
    ],
    ['is deleted', placed('cpu=1m'), undefined, true],
    ['requests less of another resource (no)', placed('cpu=1m memory=2'), placed('cpu=1m memory=1'), false],
    ['requests less', placed('cpu=2m'), placed('cpu=1m'), true],
    ['without a node requests less (no)', asking('cpu=2m', { name: 'o' }), asking('cpu=1m', { name: 'o' }), false],
    ['is the pod itself and requests less', asking('cpu=2m'), waiting, true],
  ])('decide whether to retry a waiting pod when another %s', (_, before, after, expected) => {
    const change = after === undefined ? { before } : { before, after };
    expect(isQueuedOn(plugin(), ['Pod', 'UpdatePodScaleDown'], waiting, change)).toBe(expected);
  });
});

describe('NodeResourcesFit: queueing hints for nodes', () => {
  const nodeOf = (text: string): JsonObject => aNode({ capacity: listOf(named(text)) });
  test.each<[string, string, string | undefined, string, boolean]>([
    ['that is new and too small (no)', 'cpu=2m', undefined, 'cpu=1m pods=1', false],
    ['that is new', 'cpu=2m', undefined, 'cpu=2m pods=1', true],
    ['that did not change (no)', 'cpu=2m', 'cpu=2m pods=1', 'cpu=2m pods=1', false],
    ['that has grown', 'cpu=2m', 'cpu=1m pods=1', 'cpu=2m pods=1', true],
    ['that has more of another resource (no)', 'cpu=2m', 'cpu=2m memory=1 pods=1', 'cpu=2m memory=2 pods=1', false],
    ['that takes more pods', '', 'pods=1', 'pods=2', true],
    ['that now has an extended resource', `${A}=1`, 'pods=1', `${A}=1 pods=1`, true],
    ['that has more of everything, for a pod without requests (no)', '', 'cpu=1m pods=1', 'cpu=2m pods=1', false],
  ])('decide whether to retry a waiting pod for a node %s', (_, wanted, before, after, expected) => {
    const change = { after: nodeOf(after), ...(before === undefined ? {} : { before: nodeOf(before) }) };
    expect(isQueuedOn(plugin(), ['Node', 'UpdateNodeAllocatable'], askingNamed(wanted), change)).toBe(expected);
  });
});
