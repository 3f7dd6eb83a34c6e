import type { ResourceAttributes } from '#lib/api/types/authorization.v1.ts';
import type { FieldSelectorRequirement, LabelSelectorRequirement } from '#lib/api/types/meta.v1.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { type FieldRequirement, parseFieldSelector } from '#lib/machinery/fields/selector.ts';
import { type LabelSelector, parseSelector, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import type { Attributes } from '#lib/server/authorization/authorizer.ts';

type LabelRequirement = LabelSelector['requirements'][number];

/** The selectors of a review. */
export interface ReviewSelectors extends Pick<Attributes, 'fieldSelector' | 'labelSelector'> {
  /** Syntax errors, as the review's evaluation error shows them. */
  readonly errors: readonly string[];
}

/** Reads a review's selectors. Omits requirements with syntax errors, because they could only narrow the request. */
export function reviewSelectors(resource: ResourceAttributes | undefined): ReviewSelectors {
  const fields = read(resource?.fieldSelector, parseFieldSelector, fieldRequirement);
  const labels = read(resource?.labelSelector, (raw) => parseSelector(raw).requirements, labelRequirement);
  return {
    ...(fields.requirements.length === 0 ? {} : { fieldSelector: fields.requirements }),
    ...(labels.requirements.length === 0 ? {} : { labelSelector: labels.requirements }),
    errors: [...parseErrors('fieldSelector', fields), ...parseErrors('labelSelector', labels)],
  };
}

interface Selector<Requirement> {
  readonly rawSelector?: string;
  readonly requirements?: readonly Requirement[];
}

interface Read<T> {
  readonly requirements: readonly T[];
  readonly failed: boolean;
}

function read<T, Requirement>(
  { rawSelector: raw = '', requirements: structured = [] }: Selector<Requirement> = {},
  parse: (raw: string) => readonly T[],
  convert: (requirement: Requirement) => readonly T[] | undefined,
): Read<T> {
  if (raw !== '') {
    const requirements = unlessRefused(() => parse(raw));
    return { requirements: requirements ?? [], failed: requirements === undefined };
  }
  const converted = structured.map((one) => unlessRefused(() => convert(one)));
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

/** Returns a field requirement. Only comparisons with a single value are supported for now. */
function fieldRequirement(requirement: FieldSelectorRequirement): FieldRequirement[] | undefined {
  const operator = FIELD_OPERATORS.get(requirement.operator);
  const [value, ...more] = requirement.values ?? [];
  if (operator === undefined || value === undefined || more.length > 0) return undefined;
  return [{ field: requirement.key, operator, value }];
}

const labelRequirement = (requirement: LabelSelectorRequirement): readonly LabelRequirement[] =>
  selectorFromObject({ matchExpressions: [requirement] }).requirements;

function parseErrors(field: string, { requirements, failed }: Read<unknown>): string[] {
  if (!failed) return [];
  return [
    `spec.resourceAttributes.${field} ${requirements.length > 0 ? 'partially ignored' : 'ignored'} due to parse error`,
  ];
}
