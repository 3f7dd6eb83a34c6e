import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import {
  nodeResourcesBalancedAllocationArgs,
  nodeResourcesFitArgs,
  validateNodeResourcesBalancedAllocationArgs,
  validateNodeResourcesFitArgs,
} from './args.ts';

const path = FieldPath.of('args');
const CPU_AND_MEMORY = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

test.each<[string, JsonObject, unknown]>([
  ['none', {}, { type: 'LeastAllocated', resources: CPU_AND_MEMORY }],
  ['no resources', { type: 'MostAllocated' }, { type: 'MostAllocated', resources: CPU_AND_MEMORY }],
  [
    'no weight',
    { type: 'MostAllocated', resources: [{ name: 'a' }, { name: 'b', weight: 0 }] },
    {
      type: 'MostAllocated',
      resources: [
        { name: 'a', weight: 1 },
        { name: 'b', weight: 1 },
      ],
    },
  ],
])('fills in missing fields of a strategy: %s', (name, scoringStrategy, expected) => {
  const args = name === 'none' ? {} : { scoringStrategy };
  expect(nodeResourcesFitArgs.parse(args).scoringStrategy).toEqual(expected);
});

const strategy = (scoringStrategy: JsonObject): JsonObject => ({ scoringStrategy });
const shaped = (...shape: [number, number][]): JsonObject =>
  strategy({
    type: 'RequestedToCapacityRatio',
    requestedToCapacityRatio: { shape: shape.map(([utilization, score]) => ({ utilization, score })) },
  });
const RATIO = 'args.scoringStrategy.requestedToCapacityRatio';

test.each<[string, JsonObject, string[]]>([
  ['no arguments', {}, []],
  [
    'an invalid resource name',
    { ignoredResources: ['a//b'] },
    [expect.stringMatching(/^args\.ignoredResources\[0\]: Invalid value: "a\/\/b": /)],
  ],
  [
    'a group with a slash',
    { ignoredResourceGroups: ['a/b'] },
    ["args.ignoredResourceGroups[0]: Invalid value: \"a/b\": resource group name can't contain '/'"],
  ],
  [
    'an unknown strategy',
    strategy({ type: 'Other' }),
    [
      'args.scoringStrategy.type: Unsupported value: "Other": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"',
    ],
  ],
  [
    'weights out of range',
    strategy({
      type: 'MostAllocated',
      resources: [
        { name: 'a', weight: -1 },
        { name: 'b', weight: 101 },
      ],
    }),
    [
      'args.scoringStrategy.resources[0].weight: Invalid value: -1: resource weight of a not in valid range (0, 100]',
      'args.scoringStrategy.resources[1].weight: Invalid value: 101: resource weight of b not in valid range (0, 100]',
    ],
  ],
  [
    'a missing ratio',
    strategy({ type: 'RequestedToCapacityRatio' }),
    [`${RATIO}: Required value: must be specified when type is RequestedToCapacityRatio`],
  ],
  [
    'a ratio for another strategy',
    strategy({ type: 'MostAllocated', requestedToCapacityRatio: {} }),
    [`${RATIO}: Forbidden: must be nil when type is not RequestedToCapacityRatio`],
  ],
  ['a shape without points', shaped(), [`${RATIO}.shape: Required value: at least one point must be specified`]],
  [
    'points out of order',
    shaped([10, 1], [10, 2]),
    [`${RATIO}.shape[1].utilization: Invalid value: 10: values must be sorted in increasing order`],
  ],
  [
    'points out of range',
    shaped([-1, 1], [101, 11]),
    [
      `${RATIO}.shape[0].utilization: Invalid value: -1: not in valid range [0, 100]`,
      `${RATIO}.shape[1].utilization: Invalid value: 101: not in valid range [0, 100]`,
      `${RATIO}.shape[1].score: Invalid value: 11: not in valid range [0, 10]`,
    ],
  ],
])('validates NodeResourcesFitArgs with %s', (_, args, expected) => {
  expect(validateNodeResourcesFitArgs(nodeResourcesFitArgs.parse(args), path).map(errorText)).toEqual(expected);
});

test('rejects weights and repeated resources in NodeResourcesBalancedAllocationArgs', () => {
  const resources = [{ name: 'cpu' }, { name: 'cpu', weight: 2 }];
  const args = nodeResourcesBalancedAllocationArgs.parse({ resources });
  expect(validateNodeResourcesBalancedAllocationArgs(args, path).map(errorText)).toEqual([
    'args.resources[1].name: Duplicate value: "cpu"',
    'args.resources[1].weight: Invalid value: 2: must be 1',
  ]);
});
