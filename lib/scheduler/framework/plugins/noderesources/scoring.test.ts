import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import { scoresOn } from '#lib/scheduler/testing/extension-points.ts';
import { aHandle, aNodeInfo, aPod } from '#lib/scheduler/testing/wrappers.ts';
import { SKIP } from '../../status.ts';
import { nodeResourcesBalancedAllocationArgs, nodeResourcesFitArgs } from './args.ts';
import { nodeResourcesBalancedAllocation } from './balanced-allocation.ts';
import { nodeResourcesFit } from './fit.ts';

/** Amounts in thousandths of a CPU, in bytes, and in units of an extended resource. */
type Amounts = [cpu: number, memory: number, gpu?: number];

const listOf = ([cpu, memory, gpu]: Amounts): JsonObject => ({
  cpu: String(cpu),
  memory: String(memory),
  ...(gpu === undefined ? {} : { 'nvidia.com/gpu': String(gpu) }),
});
/** A pod with one container for each amount. Without amounts, the pod has no requests. */
const asking = (...requests: Amounts[]): Pod =>
  aPod({ spec: { containers: requests.map((one, i) => ({ name: `c${i}`, resources: { requests: listOf(one) } })) } });
const nodeOf = (capacity: Amounts | undefined, ...used: Amounts[]): NodeInfo =>
  aNodeInfo(
    capacity === undefined ? {} : { capacity: listOf(capacity) },
    ...used.map((one, i): Pod => ({ ...asking(one), metadata: { name: `p${i}`, uid: `p${i}` } })),
  );
const fit = (scoringStrategy: JsonObject) =>
  nodeResourcesFit(nodeResourcesFitArgs.parse({ scoringStrategy }), aHandle());

const FIVE = asking([1000, 2000], [2000, 3000]);
const NOTHING = asking();
const MEMORY_FIRST = [{ name: 'memory', weight: 2 }, { name: 'cpu' }];
const WITH_GPU = [{ name: 'cpu' }, { name: 'memory' }, { name: 'nvidia.com/gpu' }];

describe('the strategy LeastAllocated', () => {
  test.each<[string, Pod, NodeInfo[], number[], JsonObject[]?]>([
    ['no pods and no requests', NOTHING, [nodeOf([4000, 10000])], [100]],
    ['nodes of different size', FIVE, [nodeOf([4000, 10000]), nodeOf([6000, 10000])], [37, 50]],
    [
      'pods but no requests',
      NOTHING,
      [nodeOf([10000, 20000], [3000, 0], [3000, 0]), nodeOf([10000, 20000], [3000, 0], [3000, 5000])],
      [70, 57],
    ],
    ['pods and requests', FIVE, [nodeOf([10000, 20000], [3000, 0]), nodeOf([10000, 20000], [3000, 5000])], [57, 45]],
    [
      'pods and requests on different nodes',
      FIVE,
      [nodeOf([10000, 20000], [3000, 0]), nodeOf([10000, 50000], [3000, 5000])],
      [57, 60],
    ],
    [
      'more requested than allocatable',
      asking([3000, 0]),
      [nodeOf([4000, 10000], [3000, 0]), nodeOf([4000, 10000], [3000, 5000])],
      [50, 25],
    ],
    ['no allocatable resources', NOTHING, [nodeOf(undefined, [3000, 0])], [0]],
    ['weights', FIVE, [nodeOf([4000, 10000]), nodeOf([6000, 10000])], [41, 50], MEMORY_FIRST],
    [
      'an extended resource that is not requested',
      FIVE,
      [nodeOf([6000, 10000]), nodeOf([6000, 10000, 4])],
      [50, 50],
      WITH_GPU,
    ],
    [
      'an extended resource that is requested',
      asking([1000, 2000], [2000, 3000, 2]),
      [nodeOf([6000, 10000, 4]), nodeOf([6000, 10000, 10])],
      [50, 60],
      WITH_GPU,
    ],
  ])('scores nodes with %s', (_, pod, nodes, expected, resources = []) => {
    expect(scoresOn(fit({ type: 'LeastAllocated', resources }), pod, nodes)).toEqual(expected);
  });
});

describe('the strategy MostAllocated', () => {
  test.each<[string, Pod, NodeInfo[], number[], JsonObject[]?]>([
    ['no pods and no requests', NOTHING, [nodeOf([4000, 10000])], [0]],
    ['nodes of different size', FIVE, [nodeOf([4000, 10000]), nodeOf([6000, 10000])], [62, 50]],
    [
      'pods but no requests',
      NOTHING,
      [nodeOf([10000, 20000], [3000, 0], [3000, 0]), nodeOf([10000, 20000], [3000, 0], [3000, 5000])],
      [30, 42],
    ],
    ['pods and requests', FIVE, [nodeOf([10000, 20000], [3000, 0]), nodeOf([10000, 20000], [3000, 5000])], [42, 55]],
    [
      'everything allocated',
      asking([2000, 4000], [3000, 5000]),
      [nodeOf([5000, 10000]), nodeOf([10000, 9000])],
      [95, 75],
    ],
    ['weights', FIVE, [nodeOf([4000, 10000]), nodeOf([6000, 10000])], [58, 50], MEMORY_FIRST],
  ])('scores nodes with %s', (_, pod, nodes, expected, resources = []) => {
    expect(scoresOn(fit({ type: 'MostAllocated', resources }), pod, nodes)).toEqual(expected);
  });

  test('counts containers without requests with default requests', () => {
    const capacity = { cpu: '250m', memory: '1000Mi' };
    const silent = (name: string): Pod => aPod({ name });
    const nodes = [aNodeInfo({ capacity }, silent('a'), silent('b')), aNodeInfo({ capacity })];
    expect(scoresOn(fit({ type: 'MostAllocated' }), silent('c'), nodes)).toEqual([80, 30]);
  });
});

describe('the strategy RequestedToCapacityRatio', () => {
  const byShape = (...shape: [number, number][]): JsonObject => ({
    type: 'RequestedToCapacityRatio',
    requestedToCapacityRatio: { shape: shape.map(([utilization, score]) => ({ utilization, score })) },
  });
  const falling = byShape([0, 10], [100, 0]);
  test.each<[string, Pod, NodeInfo[], number[]]>([
    ['no pods and no requests', NOTHING, [nodeOf([4000, 10000])], [100]],
    ['nodes of different size', FIVE, [nodeOf([4000, 10000]), nodeOf([6000, 10000])], [38, 50]],
    [
      'pods but no requests',
      NOTHING,
      [nodeOf([4000, 10000], [3000, 5000]), nodeOf([6000, 10000], [3000, 5000])],
      [38, 50],
    ],
  ])('scores nodes with %s', (_, pod, nodes, expected) => {
    expect(scoresOn(fit(falling), pod, nodes)).toEqual(expected);
  });

  const rising = { ...byShape([0, 0], [100, 10]), resources: [{ name: 'nvidia.com/gpu' }] };
  test.each<[string, Pod, NodeInfo[], number[]]>([
    ['is not requested', NOTHING, [nodeOf([1, 1, 8]), nodeOf([1, 1, 4])], [0, 0]],
    ['is requested', asking([0, 0, 2]), [nodeOf([1, 1, 8]), nodeOf([1, 1, 4])], [25, 50]],
    ['is in use', asking([0, 0, 2]), [nodeOf([1, 1, 8]), nodeOf([1, 1, 4], [0, 0, 2])], [25, 100]],
    ['is smaller than the request', asking([0, 0, 4]), [nodeOf([1, 1, 8]), nodeOf([1, 1, 4], [0, 0, 2])], [50, 100]],
  ])('prefers full nodes if an extended resource %s', (_, pod, nodes, expected) => {
    expect(scoresOn(fit(rising), pod, nodes)).toEqual(expected);
  });
});

describe('the plugin NodeResourcesBalancedAllocation', () => {
  const withGpu = { resources: WITH_GPU };
  test.each<[string, Pod, NodeInfo[], unknown, JsonObject?]>([
    ['no requests', NOTHING, [nodeOf([4, 10000])], SKIP],
    ['containers without requests', aPod(), [nodeOf([4, 10000])], SKIP],
    ['nodes of different size', asking([3, 5000]), [nodeOf([4, 10000]), nodeOf([6, 10000])], [68, 75]],
    ['pods', asking([3, 5000]), [nodeOf([10, 20000], [3, 0]), nodeOf([10, 20000], [3, 5000])], [73, 74]],
    [
      'pods on different nodes',
      asking([3, 5000]),
      [nodeOf([10, 20000], [3, 0]), nodeOf([10, 50000], [3, 5000])],
      [73, 70],
    ],
    ['the best and the worst', asking([0, 5000]), [nodeOf([3, 5000], [3, 0]), nodeOf([3, 5000])], [100, 50]],
    ['everything allocated', asking([3, 0]), [nodeOf([6, 10000], [3, 0]), nodeOf([6, 10000], [3, 5000])], [62, 62]],
    [
      'an extended resource that is requested',
      asking([0, 0, 1]),
      [nodeOf([3.5, 40000, 8], [3, 5000, 3]), nodeOf([3.5, 40000, 8], [3, 5000])],
      [75, 76],
      withGpu,
    ],
    [
      'an extended resource that is not requested',
      asking([3, 5000]),
      [nodeOf([3.5, 40000, 8]), nodeOf([3.5, 40000])],
      [56, 56],
      withGpu,
    ],
  ])('scores nodes with %s', (_, pod, nodes, expected, args = {}) => {
    const plugin = nodeResourcesBalancedAllocation(nodeResourcesBalancedAllocationArgs.parse(args), aHandle());
    expect(scoresOn(plugin, pod, nodes)).toEqual(expected);
  });
});
