import * as z from 'zod';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { typeMeta } from '../shared/args.ts';
import type { ShapePoint } from '../shared/shape-score.ts';

const STRATEGIES = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];
/** The highest score of a point in a shape. */
export const MAX_CUSTOM_SCORE = 10;

/** A resource and its weight. A weight of 0 counts as absent. */
const resourceSpec = z.strictObject({
  name: z.string().default(''),
  weight: z
    .int()
    .default(1)
    .transform((weight) => (weight === 0 ? 1 : weight)),
});
/** A resource and its weight. */
export type ResourceSpec = z.output<typeof resourceSpec>;

const DEFAULT_RESOURCES: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

const resources = z
  .array(resourceSpec)
  .default([])
  .transform((list): readonly ResourceSpec[] => (list.length === 0 ? DEFAULT_RESOURCES : list));

const shapePoint = z.strictObject({ utilization: z.int().default(0), score: z.int().default(0) });

const scoringStrategy = z.strictObject({
  type: z.string().default(''),
  resources,
  requestedToCapacityRatio: z.strictObject({ shape: z.array(shapePoint).default([]) }).optional(),
});
/** The scoring strategy of nodes. */
export type ScoringStrategy = z.output<typeof scoringStrategy>;

/** Upstream's NodeResourcesFitArgs with its defaults. */
export const nodeResourcesFitArgs = z.strictObject({
  ...typeMeta,
  /** Extended resources that Filter ignores. */
  ignoredResources: z.array(z.string()).default([]),
  /** Extended resources that Filter ignores, by the part of their name before the slash. */
  ignoredResourceGroups: z.array(z.string()).default([]),
  scoringStrategy: scoringStrategy.default({ type: 'LeastAllocated', resources: DEFAULT_RESOURCES }),
});
/** The arguments of NodeResourcesFit, with defaults set. */
export type NodeResourcesFitArgs = z.output<typeof nodeResourcesFitArgs>;

/** Upstream's NodeResourcesBalancedAllocationArgs. */
export const nodeResourcesBalancedAllocationArgs = z.strictObject({ ...typeMeta, resources });
/** The arguments of NodeResourcesBalancedAllocation, with defaults set. */
export type NodeResourcesBalancedAllocationArgs = z.output<typeof nodeResourcesBalancedAllocationArgs>;

/** Upstream's ValidateNodeResourcesFitArgs. */
export function validateNodeResourcesFitArgs(args: NodeResourcesFitArgs, path: FieldPath): FieldError[] {
  const { ignoredResources, ignoredResourceGroups, scoringStrategy: strategy } = args;
  const groups = path.child('ignoredResourceGroups');
  return [
    ...ignoredResources.flatMap((one, i) => validateLabelName(one, path.child('ignoredResources').index(i))),
    ...ignoredResourceGroups.flatMap((one, i) => [
      ...(one.includes('/') ? [invalid(groups.index(i), one, "resource group name can't contain '/'")] : []),
      ...validateLabelName(one, groups.index(i)),
    ]),
    ...strategyErrors(strategy, path.child('scoringStrategy')),
  ];
}

function strategyErrors(strategy: ScoringStrategy, path: FieldPath): FieldError[] {
  const weights = path.child('resources');
  const range = (name: string): string => `resource weight of ${name} not in valid range (0, 100]`;
  return [
    ...(STRATEGIES.includes(strategy.type) ? [] : [notSupported(path.child('type'), strategy.type, STRATEGIES)]),
    ...strategy.resources.flatMap(({ name, weight }, i) =>
      weight <= 0 || weight > 100 ? [invalid(weights.index(i).child('weight'), weight, range(name))] : [],
    ),
    ...ratioErrors(strategy, path.child('requestedToCapacityRatio')),
  ];
}

function ratioErrors({ type, requestedToCapacityRatio: ratio }: ScoringStrategy, path: FieldPath): FieldError[] {
  if (type !== 'RequestedToCapacityRatio')
    return ratio === undefined ? [] : [forbidden(path, 'must be nil when type is not RequestedToCapacityRatio')];
  if (ratio === undefined) return [required(path, 'must be specified when type is RequestedToCapacityRatio')];
  return validateShape(ratio.shape, path.child('shape'));
}

function validateShape(shape: readonly ShapePoint[], path: FieldPath): FieldError[] {
  if (shape.length === 0) return [required(path, 'at least one point must be specified')];
  const unsorted = shape.findIndex(({ utilization }, i) => i > 0 && (shape[i - 1]?.utilization ?? 0) >= utilization);
  const at = path.index(unsorted).child('utilization');
  const order = 'values must be sorted in increasing order';
  return [
    ...(unsorted < 0 ? [] : [invalid(at, shape[unsorted]?.utilization, order)]),
    ...shape.flatMap(({ utilization, score }, i) => [
      ...outside(utilization, 100, path.index(i).child('utilization')),
      ...outside(score, MAX_CUSTOM_SCORE, path.index(i).child('score')),
    ]),
  ];
}

const outside = (value: number, most: number, path: FieldPath): FieldError[] =>
  value < 0 || value > most ? [invalid(path, value, `not in valid range [0, ${most}]`)] : [];

/** Upstream's ValidateNodeResourcesBalancedAllocationArgs. */
export function validateNodeResourcesBalancedAllocationArgs(
  args: NodeResourcesBalancedAllocationArgs,
  path: FieldPath,
): FieldError[] {
  const names = args.resources.map(({ name }) => name);
  return args.resources.flatMap(({ name, weight }, i) => {
    const at = path.child('resources').index(i);
    return [
      ...(names.indexOf(name) < i ? [duplicate(at.child('name'), name)] : []),
      ...(weight === 1 ? [] : [invalid(at.child('weight'), weight, 'must be 1')]),
    ];
  });
}
