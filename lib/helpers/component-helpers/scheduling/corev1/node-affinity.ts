import type { PodSpec } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import {
  type Operator,
  type Requirement,
  requirementErrors,
  requirementMatches,
} from '#lib/machinery/labels/requirement.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { at, count, items, text, texts } from '#lib/machinery/unstructured.ts';
import { type FieldError, FieldPath, invalid, notSupported } from '#lib/machinery/validation/field.ts';

const NAME = 'metadata.name';
const OPERATORS = new Map<string, Operator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
  ['Gt', 'gt'],
  ['Lt', 'lt'],
]);

/** The node fields that selectors use. A NodeInfo has them too. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Extracts the fields of a node that selectors use. */
export const selectableNode = (node: JsonObject): SelectableNode => ({ name: nameOf(node), labels: labelsOf(node) });

/** A parsed `v1.NodeSelector`. One of its terms must match. A term with errors matches no node. */
export interface NodeSelector {
  readonly errors: readonly FieldError[];
  matches(node: SelectableNode): boolean;
}

/** Parsed `v1.PreferredSchedulingTerm`s. */
export interface PreferredSchedulingTerms {
  readonly errors: readonly FieldError[];
  /** The sum of the weights of the matching terms. */
  score(node: SelectableNode): number;
}

/** Parses a `v1.NodeSelector`, decoded or not. The field paths in errors begin with `path`. */
export function newNodeSelector(selector: JsonObject, path?: FieldPath): NodeSelector {
  const under = childOf(path, 'nodeSelectorTerms');
  const terms = items(selector, 'nodeSelectorTerms').flatMap((term, i) =>
    isEmpty(term) ? [] : [parseTerm(term, under.index(i))],
  );
  return {
    errors: terms.flatMap((term) => term.errors),
    matches: (node) => terms.some((term) => term.matches(node)),
  };
}

/** Parses `v1.PreferredSchedulingTerm`s, decoded or not. The field paths in errors begin with `path`. */
export function newPreferredSchedulingTerms(terms: readonly JsonObject[], path?: FieldPath): PreferredSchedulingTerms {
  const parsed = terms.flatMap((term, i) => {
    const weight = Number(count(term, 'weight'));
    const preference = at(term, 'preference') ?? {};
    const under = path === undefined ? FieldPath.of(`[${i}]`) : path.index(i);
    return weight === 0 || isEmpty(preference) ? [] : [{ ...parseTerm(preference, under), weight }];
  });
  return {
    errors: parsed.flatMap((term) => term.errors),
    score: (node) => parsed.reduce((sum, term) => sum + (term.matches(node) ? term.weight : 0), 0),
  };
}

/** The selector for the nodes that a pod spec allows: its nodeSelector and its required node affinity. */
export function requiredNodeAffinity({ nodeSelector = {}, affinity }: PodSpec): NodeSelector {
  const labels = Object.entries(nodeSelector);
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const selector = terms && newNodeSelector(terms);
  return {
    errors: selector?.errors ?? [],
    matches: (node) => labels.every(([key, value]) => node.labels[key] === value) && (selector?.matches(node) ?? true),
  };
}

type Term = NodeSelector;

const isEmpty = (term: JsonObject): boolean =>
  items(term, 'matchExpressions').length === 0 && items(term, 'matchFields').length === 0;

const childOf = (path: FieldPath | undefined, name: string): FieldPath =>
  path === undefined ? FieldPath.of(name) : path.child(name);

function parseTerm(term: JsonObject, path: FieldPath): Term {
  const labels = items(term, 'matchExpressions').map((one, i) =>
    parseLabel(one, path.child('matchExpressions').index(i)),
  );
  const fields = items(term, 'matchFields').map((one, i) => parseField(one, path.child('matchFields').index(i)));
  const errors = [...labels, ...fields].flatMap((one) => one.errors);
  const holds = (node: SelectableNode): boolean =>
    labels.every((one) => one.matches(node)) && (node.name === '' || fields.every((one) => one.matches(node)));
  return { errors, matches: errors.length > 0 ? () => false : holds };
}

function parseLabel(expression: JsonObject, path: FieldPath): Term {
  const operator = OPERATORS.get(text(expression, 'operator'));
  if (operator === undefined) return unsupported(expression, path, [...OPERATORS.keys()]);
  const requirement: Requirement = { key: text(expression, 'key'), operator, values: texts(expression, 'values') };
  const errors = requirementErrors(requirement).map((one) => ({ ...one, field: `${path.toString()}.${one.field}` }));
  return { errors, matches: (node) => requirementMatches(requirement, node.labels) };
}

/** Parses a field requirement. A field that a node lacks counts as empty. */
function parseField(field: JsonObject, path: FieldPath): Term {
  const [key, operator, values] = [text(field, 'key'), text(field, 'operator'), texts(field, 'values')];
  if (operator !== 'In' && operator !== 'NotIn') return unsupported(field, path, ['In', 'NotIn']);
  const errors = values.length === 1 ? [] : [invalid(path.child('values'), values, 'must have one element')];
  const isValue = (node: SelectableNode): boolean => (key === NAME ? node.name : '') === values[0];
  return { errors, matches: (node) => isValue(node) === (operator === 'In') };
}

const unsupported = (condition: JsonObject, path: FieldPath, operators: readonly string[]): Term => ({
  errors: [notSupported(path.child('operator'), text(condition, 'operator'), operators)],
  matches: () => false,
});
