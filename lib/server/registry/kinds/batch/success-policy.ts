import type { SuccessPolicy, SuccessPolicyRule } from '#lib/api/types/batch.v1.ts';
import type { Integer } from '#lib/machinery/unstructured.ts';
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooLong,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { each, nonnegative } from '../shared/validate.ts';
import { countIndexes, parseIndexes } from './indexes.ts';

const MAX_RULES = 20;
const MAX_INDEXES = 64 * 1024;

/** Upstream's validateSuccessPolicy. `completions` is the job's number of completions. */
export function validateSuccessPolicy(policy: SuccessPolicy, completions: Integer, path: FieldPath): FieldError[] {
  const rules = policy.rules ?? [];
  const where = path.child('rules');
  const none = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...(rules.length === 0 ? [required(where, none)] : []),
    ...(rules.length > MAX_RULES ? [tooMany(where, rules.length, MAX_RULES)] : []),
    ...each(rules, where, (rule, at) => validateRule(rule, Number(completions), at)),
  ];
}

function validateRule(rule: SuccessPolicyRule, completions: number, path: FieldPath): FieldError[] {
  const hasIndexes = rule.succeededIndexes !== undefined;
  const succeeded = rule.succeededCount;
  if (succeeded === undefined && !hasIndexes) {
    return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const indexes = rule.succeededIndexes ?? '';
  const parsed = parseIndexes(indexes, completions);
  const where = path.child('succeededIndexes');
  const total = typeof parsed === 'string' ? 0 : countIndexes(parsed);
  return [
    ...(hasIndexes && Buffer.byteLength(indexes) > MAX_INDEXES ? [tooLong(where, MAX_INDEXES)] : []),
    ...(typeof parsed === 'string' ? [invalid(where, indexes, `error parsing succeededIndexes: ${parsed}`)] : []),
    ...nonnegative(rule, path, 'succeededCount'),
    ...atMost(succeeded, completions, 'the number of specified completions', path),
    ...(hasIndexes
      ? atMost(succeeded, total, 'the number of indexes in the specified succeededIndexes field', path)
      : []),
  ];
}

function atMost(succeeded: Integer | undefined, limit: number, what: string, path: FieldPath): FieldError[] {
  if (succeeded === undefined || succeeded <= limit) return [];
  return [invalid(path.child('succeededCount'), succeeded, `must be less than or equal to ${limit} (${what})`)];
}
