import type { SuccessPolicyRule } from '#lib/api/types/batch.v1.ts';
import { type Indexes, numberInBoth, numberOf, readIndexes } from './indexes.ts';

/** A description of the success policy rule that is met. Undefined if none is: upstream's matchSuccessPolicy. */
export function metRule(
  rules: readonly SuccessPolicyRule[],
  completions: number,
  succeeded: Indexes,
): string | undefined {
  if (succeeded.length === 0) return undefined;
  const met = rules.findIndex((rule) => isMet(rule, completions, succeeded));
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}

function isMet(rule: SuccessPolicyRule, completions: number, succeeded: Indexes): boolean {
  const { succeededCount: enough = Infinity, succeededIndexes: text } = rule;
  if (text === undefined) return numberOf(succeeded) >= enough;
  const wanted = readIndexes(text, completions);
  return wanted.length > 0 && numberInBoth(wanted, succeeded) >= Math.min(enough, numberOf(wanted));
}
