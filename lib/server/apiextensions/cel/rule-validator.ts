import { escapeProperty } from '#lib/api/cel/library/escaping.ts';
import { RUNTIME_BUDGET } from '#lib/api/cel/library/limits.ts';
import type { Correlation } from '#lib/api/schema/correlation.ts';
import { additionalSchema } from '#lib/api/schema/json-schema-props.ts';
import { mapListKey } from '#lib/api/schema/list-type.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { defined } from '#lib/machinery/defined.ts';
import { isObject, type Json, ownField } from '#lib/machinery/json-value.ts';
import { isFloatAt } from '#lib/machinery/number-literals.ts';
import { errorText, type FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import { type CompiledRule, compileRules } from './compile-rules.ts';
import { type DeclType, declType, withTypeAndObjectMeta } from './decl-type.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { Ratcheting } from './ratcheting.ts';
import type { RuleMetrics } from './rule-metrics.ts';
import type { Run } from './run.ts';

/** Options of the validation of a whole object. */
export interface Validation {
  readonly correlation?: Correlation | undefined;
  /** Receives only the errors of values that an update left unchanged. */
  readonly warn?: ((text: string) => void) | undefined;
  readonly metrics?: RuleMetrics | undefined;
}

/** The parts of a schema that are relevant to its rules: upstream's `cel.Validator`. */
export class RuleValidator {
  readonly #rules: Structural;
  readonly #schema: Structural;
  readonly #resource: boolean;
  readonly #type: DeclType | undefined;
  readonly #items: RuleValidator | undefined;
  readonly #values: RuleValidator | undefined;
  readonly #properties = new Map<string, RuleValidator>();
  readonly #allOf: RuleValidator[] = [];
  #compiled: readonly CompiledRule[] | undefined;
  #valueSchema: Structural | undefined;

  private constructor(rules: Structural, schema: Structural, resource: boolean, isTyped: boolean) {
    this.#rules = rules;
    this.#schema = schema;
    this.#resource = resource;
    this.#type = isTyped ? declType(schema, resource) : undefined;
    // Expressions can access only the items, values and properties in the schema's own type.
    this.#items = inside(rules.items, schema.items, this.#type?.kind === 'list');
    this.#values = inside(additionalSchema(rules), additionalSchema(schema), this.#type?.kind === 'map');
    for (const [name, property] of rules.properties ?? []) {
      const child = this.#isSeen(name) ? inside(property, schema.properties?.get(name)) : undefined;
      if (child !== undefined) this.#properties.set(name, child);
    }
    for (const nested of rules.allOf ?? []) {
      const child = RuleValidator.of(nested, schema, resource, isTyped);
      if (child !== undefined) this.#allOf.push(child);
    }
  }

  /** Returns undefined if neither the schema nor a nested one has rules. Compiles nothing yet. */
  static of(rules: Structural, schema: Structural, resource: boolean, isTyped = true): RuleValidator | undefined {
    const made = new RuleValidator(rules, schema, resource, isTyped);
    return made.#isEmpty() ? undefined : made;
  }

  #isEmpty(): boolean {
    if (this.#items !== undefined || this.#values !== undefined) return false;
    return this.#properties.size === 0 && this.#allOf.length === 0 && (this.#rules.validations ?? []).length === 0;
  }

  /** Whether expressions can access the property. Properties of unknown type are omitted. */
  #isSeen(name: string): boolean {
    const property = this.#schema.properties?.get(name);
    return (
      property !== undefined &&
      declType(property) !== undefined &&
      (escapeProperty(name) === undefined || this.#type !== undefined)
    );
  }

  /** Validates a whole object. `old` is undefined for a create. */
  validate(value: Json, old: Json | undefined, { correlation, warn, metrics }: Validation = {}): FieldError[] {
    const run: Run = { errors: [], forgiven: [], budget: RUNTIME_BUDGET, metrics };
    this.run(run, FieldPath.of(''), value, old, new Ratcheting(correlation));
    if (warn !== undefined) for (const error of run.forgiven) warn(errorText(error));
    return run.errors;
  }

  /** Continues a validation at a nested value. */
  run(run: Run, path: FieldPath, value: Json, old: Json | undefined, ratcheting: Ratcheting): void {
    if (value === null) return;
    const work = (): void => this.#run(run, path, value, old, ratcheting);
    if (run.metrics === undefined) work();
    else run.metrics.evaluating(work);
  }

  #run(run: Run, path: FieldPath, value: Json, old: Json | undefined, ratcheting: Ratcheting): void {
    const oldValue = old === null ? undefined : old;
    this.#runRules(run, path, value, oldValue, ratcheting);
    for (const nested of this.#allOf) {
      if (run.budget < 0) return;
      nested.run(run, path, value, oldValue, ratcheting.uncorrelated());
    }
    if (run.budget < 0) return;
    if (Array.isArray(value)) this.#runItems(run, path, value, oldValue, ratcheting);
    else if (isObject(value)) this.#runFields(run, path, value, oldValue, ratcheting);
  }

  #runRules(run: Run, path: FieldPath, value: Json, old: Json | undefined, ratcheting: Ratcheting): void {
    if ((this.#rules.validations ?? []).length === 0) return;
    this.#valueSchema ??= this.#resource ? withTypeAndObjectMeta(this.#schema) : this.#schema;
    if (this.#type !== undefined) {
      const compile = (): readonly CompiledRule[] => this.#compile(this.#type as DeclType);
      this.#compiled ??= run.metrics === undefined ? compile() : run.metrics.compiling(compile);
    }
    evaluateRules(run, { rules: this.#compiled, schema: this.#valueSchema, path, value, old, ratcheting });
  }

  #compile(type: DeclType): readonly CompiledRule[] {
    const { validations } = this.#rules;
    return compileRules({ ...this.#schema, ...defined({ validations }) }, type);
  }

  #runItems(run: Run, path: FieldPath, items: readonly Json[], old: Json | undefined, ratcheting: Ratcheting): void {
    const validator = this.#items;
    if (validator === undefined) return;
    const oldItems = Array.isArray(old) ? this.#oldItems(old) : undefined;
    for (const [i, item] of items.entries()) {
      const key = oldItems === undefined ? undefined : mapListKey(this.#schema, item);
      const oldItem = key === undefined ? undefined : oldItems?.get(key);
      run.isFloat = isFloatAt(items, i);
      validator.run(run, path.index(i), item, oldItem, ratcheting.index(i));
      if (run.budget < 0) return;
    }
  }

  /** Returns the old items by key. Only items of lists of type map keep their identity in an update. */
  #oldItems(old: readonly Json[]): ReadonlyMap<string, Json> | undefined {
    if (this.#schema.listType !== 'map' || (this.#schema.listMapKeys ?? []).length === 0) return undefined;
    const byKey = new Map<string, Json>();
    for (const item of old) {
      const key = mapListKey(this.#schema, item);
      if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
    }
    return byKey;
  }

  #runFields(
    run: Run,
    path: FieldPath,
    object: { [field: string]: Json },
    old: Json | undefined,
    ratcheting: Ratcheting,
  ): void {
    if (this.#values === undefined && this.#properties.size === 0) return;
    const oldObject = isObject(old) && isCorrelatable(this.#schema) ? old : undefined;
    for (const name of Object.keys(object)) {
      const property = this.#properties.get(name);
      const validator = this.#values ?? property;
      const at = this.#values === undefined ? path.child(name) : path.key(name);
      run.isFloat = isFloatAt(object, name);
      validator?.run(run, at, object[name] as Json, ownField(oldObject, name), ratcheting.key(name));
      if (run.budget < 0) return;
    }
  }
}

const isCorrelatable = ({ mapType }: Structural): boolean =>
  mapType === undefined || mapType === 'granular' || mapType === 'atomic';

function inside(
  rules: Structural | undefined,
  schema: Structural | undefined,
  isTyped = true,
): RuleValidator | undefined {
  if (rules === undefined || schema === undefined) return undefined;
  return RuleValidator.of(rules, schema, schema.embeddedResource === true, isTyped);
}
