import type { Attributes } from '#lib/authorization/authorizer.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { parseFieldSelector, type FieldRequirement } from '#lib/machinery/fields/selector.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text, texts } from '#lib/machinery/unstructured.ts';
import { parseSelector, selectorFromObject, type LabelSelector } from '#lib/machinery/labels/selector.ts';

type LabelRequirement = LabelSelector['requirements'][number];

/** The selectors of a review. */
export interface ReviewSelectors extends Pick<Attributes, 'fieldSelector' | 'labelSelector'> {
  /** Syntax errors, as the review's evaluation error shows them. */
  readonly errors: readonly string[];
}

/** Reads a review's selectors. Requirements with syntax errors are left out: they would only narrow the request. */
export function reviewSelectors(resource: JsonObject | undefined): ReviewSelectors {
  const fields = read(at(resource, 'fieldSelector'), parseFieldSelector, fieldRequirement);
  const labels = read(at(resource, 'labelSelector'), (raw) => parseSelector(raw).requirements, labelRequirement);
  return {
    ...(fields.requirements.length === 0 ? {} : { fieldSelector: fields.requirements }),
    ...(labels.requirements.length === 0 ? {} : { labelSelector: labels.requirements }),
    errors: [...told('fieldSelector', fields), ...told('labelSelector', labels)],
  };
}

interface Read<T> {
  readonly requirements: readonly T[];
  readonly failed: boolean;
}

function read<T>(
  selector: JsonObject | undefined,
  parse: (raw: string) => readonly T[],
  convert: (requirement: JsonObject) => readonly T[] | undefined,
): Read<T> {
  const raw = text(selector, 'rawSelector');
  if (raw !== '') {
    const requirements = unlessRefused(() => parse(raw));
    return { requirements: requirements ?? [], failed: requirements === undefined };
  }
  const converted = items(selector, 'requirements').map((one) => unlessRefused(() => convert(one)));
  return { requirements: converted.flatMap((one) => one ?? []), failed: converted.includes(undefined) };
}

function unlessRefused<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

const FIELD_OPERATORS: ReadonlyMap<string, FieldRequirement['operator']> = new Map([
  ['In', '='],
  ['NotIn', '!='],
]);

/** Fields are compared with one value, for now. */
function fieldRequirement(requirement: JsonObject): FieldRequirement[] | undefined {
  const operator = FIELD_OPERATORS.get(text(requirement, 'operator'));
  const [value, ...more] = texts(requirement, 'values');
  if (operator === undefined || value === undefined || more.length > 0) return undefined;
  return [{ field: text(requirement, 'key'), operator, value }];
}

const labelRequirement = (requirement: JsonObject): readonly LabelRequirement[] =>
  selectorFromObject({ matchExpressions: [requirement] }).requirements;

function told(field: string, { requirements, failed }: Read<unknown>): string[] {
  if (!failed) return [];
  return [
    `spec.resourceAttributes.${field} ${requirements.length > 0 ? 'partially ignored' : 'ignored'} due to parse error`,
  ];
}
