import { StatusError } from '#lib/machinery/errors.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { newRequirement, requirementMatches, type Operator } from '#lib/machinery/labels/requirement.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { at, entries, items, text, texts } from '#lib/machinery/unstructured.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const NAME = 'metadata.name';
const OPERATORS = new Map<string, Operator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
  ['Gt', 'gt'],
  ['Lt', 'lt'],
]);

/** Whether a pod of this spec may be on the node: upstream's required node affinity. Of its terms one has to hold. */
export function fitsNode(spec: JsonObject | undefined, node: JsonObject): boolean {
  const labels = labelsOf(node);
  if (!entries(spec, 'nodeSelector').every(([key, value]) => labels[key] === value)) return false;
  const selector = at(spec, 'affinity', 'nodeAffinity', REQUIRED);
  return selector === undefined || items(selector, 'nodeSelectorTerms').some((term) => matchesTerm(term, node));
}

/** A term without conditions, or with one that makes no sense, holds nowhere. */
function matchesTerm(term: JsonObject, node: JsonObject): boolean {
  const [expressions, fields] = [items(term, 'matchExpressions'), items(term, 'matchFields')];
  if (expressions.length === 0 && fields.length === 0) return false;
  return expressions.every((one) => matchesLabels(one, node)) && fields.every((one) => matchesName(one, node));
}

function matchesLabels(expression: JsonObject, node: JsonObject): boolean {
  const operator = OPERATORS.get(text(expression, 'operator'));
  if (operator === undefined) return false;
  try {
    const requirement = newRequirement(text(expression, 'key'), operator, texts(expression, 'values'));
    return requirementMatches(requirement, labelsOf(node));
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

function matchesName(field: JsonObject, node: JsonObject): boolean {
  const values = texts(field, 'values');
  if (text(field, 'key') !== NAME || values.length !== 1) return false;
  const isNamed = values[0] === nameOf(node);
  return text(field, 'operator') === 'In' ? isNamed : text(field, 'operator') === 'NotIn' && !isNamed;
}

/** The affinity of a pod that is for one node. Other requirements were looked at before, and give way. */
export function affinityTo(node: string, affinity: JsonObject | undefined): JsonObject {
  const nodeAffinity = objectAt(affinity, 'nodeAffinity');
  const terms = [{ matchFields: [{ key: NAME, operator: 'In', values: [node] }] }];
  const required = { ...objectAt(nodeAffinity, REQUIRED), nodeSelectorTerms: terms };
  return { ...affinity, nodeAffinity: { ...nodeAffinity, [REQUIRED]: required } };
}

/** The node that a pod is on, or is for; undefined where it does not tell. */
export function targetOf(pod: JsonObject): string | undefined {
  const spec = objectAt(pod, 'spec');
  const name = text(spec, 'nodeName');
  if (name !== '') return name;
  const terms = items(at(spec, 'affinity', 'nodeAffinity', REQUIRED), 'nodeSelectorTerms');
  const field = terms
    .flatMap((term) => items(term, 'matchFields'))
    .find((one) => text(one, 'key') === NAME && text(one, 'operator') === 'In');
  const values = texts(field, 'values');
  return values.length === 1 ? values[0] : undefined;
}
