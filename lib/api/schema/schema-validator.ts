import type { Json } from '#lib/machinery/json-value.ts';
import type { FieldError } from '#lib/machinery/validation/field.ts';
import { type Check, compile } from './compile.ts';
import type { Correlation } from './correlation.ts';
import { Explainer } from './explain.ts';
import { toFieldError } from './finding.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import type { Mode } from './scalar-rules.ts';

/** Upstream's `SchemaValidator`: compiled on first use, then shared by all requests. */
export class SchemaValidator {
  readonly #schema: JSONSchemaProps;
  readonly #mode: Mode;
  #check: Check | undefined;
  #explainer: Explainer | undefined;

  constructor(schema: JSONSchemaProps, mode: Mode = 'resource') {
    this.#schema = schema;
    this.#mode = mode;
  }

  /**
   * Upstream's `ValidateCustomResource`. Fields of errors begin with `base`; with a `correlation` errors of values that an
   * update leaves as they were are dropped.
   */
  validate(
    value: Json,
    options: { readonly base?: string; readonly correlation?: Correlation | undefined } = {},
  ): FieldError[] {
    this.#check ??= compile(this.#schema, this.#mode);
    if (this.#check(value)) return [];
    this.#explainer ??= new Explainer(this.#mode);
    const result = this.#explainer.explain(this.#schema, { value, path: '', correlation: options.correlation });
    return [...result.findings.values()].map((finding) => toFieldError(finding, options.base));
  }
}
