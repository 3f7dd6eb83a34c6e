import { badRequest } from '../errors.ts';
import { quote } from '../go.ts';
import { arrayAt, isObject, type Json, type JsonObject, objectAt, stringAt } from '../json-value.ts';
import { parseRequirements } from './parse.ts';
import {
  type Labels,
  newRequirement,
  type Operator,
  type Requirement,
  requirementMatches,
  requirementText,
} from './requirement.ts';

/** All requirements must match. With `nothing`, the selector matches no object. */
export interface LabelSelector {
  readonly requirements: readonly Requirement[];
  readonly nothing?: true;
}

/** Matches every object. */
export const EVERYTHING: LabelSelector = { requirements: [] };
/** Matches no object. */
export const NOTHING: LabelSelector = { requirements: [], nothing: true };

/** Parses `a=b,c in (d,e),!f`. Throws 400 with upstream's text. */
export function parseSelector(text: string): LabelSelector {
  return { requirements: parseRequirements(text) };
}

/** Whether the selector matches every object. */
export const isEverything = (selector: LabelSelector): boolean =>
  selector.nothing !== true && selector.requirements.length === 0;

/** Whether an object with these labels matches: all requirements hold. */
export function matches(selector: LabelSelector, labels: Labels): boolean {
  return selector.nothing !== true && selector.requirements.every((item) => requirementMatches(item, labels));
}

/** Formats a selector. `parseSelector` parses it. */
export function selectorText({ requirements }: LabelSelector): string {
  return requirements.map(requirementText).join(',');
}

/**
 * A selector that requires each of `labels`, without validation, as services and replication controllers select. An empty map selects
 * everything.
 */
export function selectorFromSet(labels: JsonObject | undefined): LabelSelector {
  const requirements = Object.entries(labels ?? {}).map(
    ([key, value]): Requirement => ({
      key,
      operator: '=',
      values: [String(value)],
    }),
  );
  return { requirements: byKey(requirements) };
}

const OPERATORS = new Map<Json | undefined, Operator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** Upstream's LabelSelectorAsSelector for a `metav1.LabelSelector`. An absent one selects nothing. Throws 400. */
export function selectorFromObject(selector: JsonObject | undefined): LabelSelector {
  if (selector === undefined) return NOTHING;
  const requirements = Object.entries(objectAt(selector, 'matchLabels') ?? {}).map(([key, value]) =>
    newRequirement(key, '=', [String(value)]),
  );
  requirements.push(...arrayAt(selector, 'matchExpressions').filter(isObject).map(fromExpression));
  return { requirements: byKey(requirements) };
}

function fromExpression(expression: JsonObject): Requirement {
  const name = stringAt(expression, 'operator') ?? '';
  const operator = OPERATORS.get(name);
  if (operator === undefined) throw badRequest(`${quote(name)} is not a valid label selector operator`);
  const values = arrayAt(expression, 'values').filter((value) => typeof value === 'string');
  return newRequirement(stringAt(expression, 'key') ?? '', operator, values);
}

const byKey = (requirements: Requirement[]): Requirement[] =>
  requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
