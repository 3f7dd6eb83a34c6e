import type { Json } from '#lib/machinery/json-value.ts';
import { type FieldError, invalid } from '#lib/machinery/validation/field.ts';
import { type Check, compile } from './compile.ts';
import type { Correlation } from './correlation.ts';
import { Explainer } from './explain.ts';
import { Result, toFieldError } from './finding.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import type { Mode } from './scalar-rules.ts';
import { BudgetExceeded, ValidationBudget } from './validation-budget.ts';

/** Upstream's `SchemaValidator`. It is compiled on first use and shared by all requests. */
export class SchemaValidator {
  readonly #schema: JSONSchemaProps;
  readonly #mode: Mode;
  readonly #budget = new ValidationBudget();
  #check: Check | undefined;
  #explainer: Explainer | undefined;

  constructor(schema: JSONSchemaProps, mode: Mode = 'resource') {
    this.#schema = schema;
    this.#mode = mode;
  }

  /**
   * Upstream's `ValidateCustomResource`. Fields of errors begin with `base`. With a `correlation`, errors of unchanged values are dropped.
   * If the validation needs too many steps, the last error reports this.
   */
  validate(
    value: Json,
    options: { readonly base?: string; readonly correlation?: Correlation | undefined } = {},
  ): FieldError[] {
    const result = new Result(this.#budget);
    try {
      if (this.#isValid(value)) return [];
      this.#budget.reset();
      this.#explainer ??= new Explainer(this.#mode, this.#budget);
      this.#explainer.explain(this.#schema, { value, path: '', correlation: options.correlation }, result);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
      return [...fieldErrors(result, options.base), invalid(options.base ?? '<nil>', '', error.message)];
    }
    return fieldErrors(result, options.base);
  }

  #isValid(value: Json): boolean {
    this.#budget.reset();
    this.#check ??= compile(this.#schema, { mode: this.#mode, budget: this.#budget });
    return this.#check(value);
  }
}

const fieldErrors = ({ findings }: Result, base: string | undefined): FieldError[] =>
  [...findings.values()].map((finding) => toFieldError(finding, base));
