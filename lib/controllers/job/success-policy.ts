import { stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { integer } from '#lib/machinery/unstructured.ts';
import { numberInBoth, numberOf, readIndexes, type Indexes } from './indexes.ts';

/** Which rule of a success policy is met, in words; undefined where none is: upstream's matchSuccessPolicy. */
export function metRule(rules: readonly JsonObject[], completions: number, succeeded: Indexes): string | undefined {
  if (succeeded.length === 0) return undefined;
  const met = rules.findIndex((rule) => isMet(rule, completions, succeeded));
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}

function isMet(rule: JsonObject, completions: number, succeeded: Indexes): boolean {
  const enough = Number(integer(rule, 'succeededCount') ?? Infinity);
  const text = stringAt(rule, 'succeededIndexes');
  if (text === undefined) return numberOf(succeeded) >= enough;
  const wanted = readIndexes(text, completions);
  return wanted.length > 0 && numberInBoth(wanted, succeeded) >= Math.min(enough, numberOf(wanted));
}
