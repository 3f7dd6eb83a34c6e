import type { Overload } from '../functions/function.ts';
import { costSize } from '../values/size.ts';
import type { Result, Value } from '../values/value.ts';
import { type CostEstimator, regexLengthFactor, stringTraversalFactor } from './estimate.ts';

/** Returns the actual cost of a call. Functions without a coster cost one. */
export type Coster = (args: readonly Result[], result: Result) => number;

const traversal = (size: number): number => Math.ceil(size * stringTraversalFactor);
const sizeAt = (args: readonly Result[], index: number): number => costSize(args[index] ?? null);

const ofFirst: Coster = (args) => traversal(sizeAt(args, 0));
const ofSmaller: Coster = (args) => traversal(Math.min(sizeAt(args, 0), sizeAt(args, 1)));
const ofBoth: Coster = (args) => traversal(sizeAt(args, 0) + sizeAt(args, 1));

/** Costs of the language's own functions by overload id; upstream: interpreter/runtimecost.go. */
const standard: ReadonlyMap<string, Coster> = new Map<string, Coster>([
  ...[
    'starts_with_string',
    'ends_with_string',
    'string_to_bytes',
    'bytes_to_string',
    'strings_quote',
    'string_format',
  ].map((id) => [id, ofFirst] as const),
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((id) => [
    [`${id}_string`, ofSmaller] as const,
    [`${id}_bytes`, ofSmaller] as const,
  ]),
  ['equals', ofSmaller],
  ['not_equals', ofSmaller],
  ['add_string', ofBoth],
  ['add_bytes', ofBoth],
  ['in_list', (args) => sizeAt(args, 1)],
  ['matches_string', (args) => traversal(1 + sizeAt(args, 0)) * Math.ceil(sizeAt(args, 1) * regexLengthFactor)],
  ['contains_string', (args) => traversal(sizeAt(args, 0)) * traversal(sizeAt(args, 1))],
]);

/** Returns the coster of a function: its overload's own, otherwise the environment's, otherwise the language's. */
export function costerOf(name: string, overload: Overload | undefined, estimator: CostEstimator): Coster | undefined {
  const id = overload?.id ?? '';
  const fallback = standard.get(id);
  const own = overload?.cost;
  const special = estimator.callCost?.(name, id);
  if (!own && !special) return fallback;
  return (args, result) => {
    const values = args as readonly Value[];
    return own?.(values, result) ?? special?.(values, result) ?? fallback?.(args, result) ?? 1;
  };
}
