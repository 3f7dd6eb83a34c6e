import { type JSONSchemaProps, schemaHas } from '#lib/api/schema/json-schema-props.ts';
import { programSize } from '#lib/machinery/regexp.ts';
import { type FieldError, type FieldPath, tooLong, tooMany } from '#lib/machinery/validation/field.ts';
import { type Definition, someSchema } from '../definition.ts';

/**
 * Limits on the totals over all versions' schemas, so that checking a definition takes no longer than a request may take. The largest known
 * definition uses a quarter of the limits on schemas and on the length of rules, and a tenth of the others.
 */
const MAX_SCHEMAS = 30_000;
const MAX_RULES = 1000;
const MAX_RULES_LENGTH = 32 * 1024;
/** Limits the sizes of value patterns and of repetitions in rules. */
const MAX_PATTERNS_SIZE = 50_000;

/** Returns why a definition is too large to be checked. Undefined if it is small enough. */
export function sizeError(definition: Definition, path: FieldPath): FieldError | undefined {
  const sizes = new SchemaSizes();
  someSchema(definition, (schema) => schemaHas(schema, (s) => !sizes.add(s)));
  const { schemas, rules, rulesLength, patternsSize } = sizes;
  const at = path.child('versions');
  if (schemas > MAX_SCHEMAS) return tooMany(at.child('schema', 'openAPIV3Schema'), schemas, MAX_SCHEMAS);
  if (rules > MAX_RULES) return tooMany(at.child('x-kubernetes-validations'), rules, MAX_RULES);
  if (rulesLength > MAX_RULES_LENGTH) {
    return tooLong(at.child('x-kubernetes-validations'), MAX_RULES_LENGTH, 'character');
  }
  return patternsSize > MAX_PATTERNS_SIZE ? tooLong(at.child('pattern'), MAX_PATTERNS_SIZE, 'character') : undefined;
}

/** Totals that stop growing at the first exceeded limit. */
class SchemaSizes {
  schemas = 0;
  rules = 0;
  rulesLength = 0;
  patternsSize = 0;
  readonly #patterns = new Set<string>();

  /** Adds a schema. Returns whether all totals are within their limits. */
  add({ validations = [], pattern }: JSONSchemaProps): boolean {
    this.schemas++;
    this.rules += validations.length;
    for (const { rule, messageExpression = '' } of validations) this.#addRule(rule + messageExpression);
    if (pattern !== undefined && !this.#patterns.has(pattern)) {
      this.#patterns.add(pattern);
      this.patternsSize += programSize(pattern);
    }
    return this.#isWithin;
  }

  /**
   * Patterns in a rule count for more than their text, for example `[a-z]{900}`. They are found without parsing, because only patterns
   * contain `{900}`.
   */
  #addRule(text: string): void {
    this.rulesLength += text.length;
    this.patternsSize += Math.max(0, programSize(text) - text.length);
  }

  get #isWithin(): boolean {
    return (
      this.schemas <= MAX_SCHEMAS &&
      this.rules <= MAX_RULES &&
      this.rulesLength <= MAX_RULES_LENGTH &&
      this.patternsSize <= MAX_PATTERNS_SIZE
    );
  }
}
