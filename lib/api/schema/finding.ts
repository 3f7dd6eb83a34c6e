import { marshal, quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '#lib/machinery/validation/field.ts';
import type { ValidationBudget } from './validation-budget.ts';

/** One error found by kube-openapi. `name` is the path inside the validated value; `text` is kube-openapi's message. */
export interface Finding {
  readonly code: 'type' | 'required' | 'enum' | 'tooLong' | 'tooMany' | 'other' | 'composite';
  readonly name: string;
  readonly text: string;
  readonly value?: Json;
  readonly limit?: number;
  readonly allowed?: readonly Json[];
}

/** The finding for a value of the wrong type. */
export const typeFinding = (name: string, expected: string, value: string): Finding => ({
  code: 'type',
  name,
  value,
  text: `${name} in body must be of type ${expected}: ${quote(value)}`,
});
/** The finding for a missing field. */
export const requiredFinding = (name: string): Finding => ({
  code: 'required',
  name,
  text: `${name} in body is required`,
});
/** The finding for a value that is not in the enum. */
export const enumFinding = (name: string, value: Json, allowed: readonly Json[]): Finding => ({
  code: 'enum',
  name,
  value,
  allowed,
  text: `${name} in body should be one of ${marshal(allowed)}`,
});
/** A finding with its own text, which follows `… in body`. */
export const otherFinding = (name: string, value: Json, why: string): Finding => ({
  code: 'other',
  name,
  value,
  text: `${name} in body ${why}`,
});
/** The finding for a junctor, such as anyOf, without a matching branch. */
export const compositeFinding = (text: string): Finding => ({ code: 'composite', name: '', text });

function fieldOf(base: string | undefined, name: string): string {
  const trimmed = name === '.' ? '' : name.replace(/^\./, '');
  if (trimmed === '') return base ?? '<nil>';
  return base === undefined ? trimmed : `${base}.${trimmed}`;
}

/** Upstream's `kubeOpenAPIResultToFieldErrors`. Without a `base`, errors without a path have the field `<nil>`. */
export function toFieldError(finding: Finding, base: string | undefined): FieldError {
  const field = fieldOf(base, finding.name);
  switch (finding.code) {
    case 'required':
      return required(field);
    case 'enum':
      return notSupported(field, finding.value, (finding.allowed ?? []).map(enumText));
    case 'tooLong':
      return tooLong(field, finding.limit ?? -1);
    case 'tooMany':
      return tooMany(field, Number(finding.value), finding.limit ?? -1);
    case 'type':
      return typeInvalid(field, finding.value, finding.text);
    case 'other':
      return invalid(field, finding.value ?? '', finding.text);
    case 'composite':
      return invalid(base ?? '<nil>', '', finding.text);
    default:
      return finding.code satisfies never;
  }
}

const enumText = (value: Json): string => (typeof value === 'string' ? value : marshal(value));

/** Findings up to this length per field or item are free. Longer ones, such as those of an enum, are charged to the budget. */
const SHORT = 1024;

/** The findings of one branch without duplicate texts, with kube-openapi's match count. */
export class Result {
  readonly findings = new Map<string, Finding>();
  readonly #budget: ValidationBudget;
  matches = 0;

  constructor(budget: ValidationBudget) {
    this.#budget = budget;
  }

  /** Adds a finding unless it already exists. Throws BudgetExceeded. */
  add(finding: Finding | undefined): void {
    if (finding === undefined || this.findings.has(finding.text)) return;
    this.findings.set(finding.text, finding);
    this.#budget.spend(Math.max(0, finding.text.length - SHORT));
  }

  merge(other: Result): void {
    for (const finding of other.findings.values()) this.add(finding);
    this.matches += other.matches;
  }

  get valid(): boolean {
    return this.findings.size === 0;
  }
}
