import { quote } from '#lib/machinery/go.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Correlation } from './correlation.ts';
import { compositeFinding, otherFinding, Result, requiredFinding } from './finding.ts';
import { additionalSchema, type JSONSchemaProps } from './json-schema-props.ts';
import { kindOf, type ValueKind } from './kinds.ts';
import { type Mode, type ScalarRules, scalarRules } from './scalar-rules.ts';
import { uniqueItems } from './unique-items.ts';
import type { ValidationBudget } from './validation-budget.ts';

/** A value and its path. `correlation` has the old value if ratcheting accepts unchanged values. */
interface ValueAtPath {
  readonly value: Json;
  readonly path: string;
  readonly correlation: Correlation | undefined;
}

/**
 * Explains why a value fails a schema, with the messages, paths and match counts of kube-openapi's validator. The counts select the anyOf
 * or oneOf branch whose errors are shown. Runs only for values that the compiled check rejected.
 */
export class Explainer {
  readonly #mode: Mode;
  readonly #budget: ValidationBudget;
  readonly #rules = new Map<JSONSchemaProps, ScalarRules>();

  constructor(mode: Mode, budget: ValidationBudget) {
    this.#mode = mode;
    this.#budget = budget;
  }

  /** Adds the findings to `result` and returns it. Throws BudgetExceeded. In that case, `result` contains the findings so far. */
  explain(s: JSONSchemaProps, place: ValueAtPath, result = new Result(this.#budget)): Result {
    this.#budget.spend(STEPS_OF_BRANCH);
    this.#node(s, place, result);
    if (!result.valid && place.correlation?.unchanged() === true) result.findings.clear();
    return result;
  }

  #node(s: JSONSchemaProps, place: ValueAtPath, result: Result): void {
    const { value, path } = place;
    const kind = kindOf(value);
    const rules = this.#rulesOf(s);
    if (kind === 'null') {
      this.#type(rules, place, kind, result);
      result.add(rules.enumeration(value, path));
      return;
    }
    if (rules.typed) {
      this.#type(rules, place, kind, result);
      result.matches++;
    }
    this.#junctors(s, place, result);
    this.#scalar(rules, place, kind, result);
    if (kind === 'array') this.#items(s, place, result);
    result.add(rules.enumeration(value, path));
    result.matches++;
    if (isObject(value)) this.#fields(s, value, place, result);
    result.matches++;
  }

  /** Merges the findings of a nested value. Adds them directly if ratcheting cannot apply. */
  #child(s: JSONSchemaProps, place: ValueAtPath, result: Result): void {
    if (place.correlation === undefined) this.#node(s, place, result);
    else result.merge(this.explain(s, place));
  }

  #rulesOf(s: JSONSchemaProps): ScalarRules {
    const existing = this.#rules.get(s);
    if (existing !== undefined) return existing;
    const rules = scalarRules(s, this.#mode);
    this.#rules.set(s, rules);
    return rules;
  }

  #type(rules: ScalarRules, { value, path }: ValueAtPath, kind: ValueKind, result: Result): void {
    const finding = rules.type(value, kind, path);
    if (finding === undefined) result.matches++;
    result.add(finding);
  }

  #scalar(rules: ScalarRules, { value, path }: ValueAtPath, kind: ValueKind, result: Result): void {
    if (kind === 'string') {
      this.#budget.match(rules.patternSteps(value as string));
      result.add(rules.text(value, path));
      result.matches++;
      if (rules.hasFormat) {
        result.add(rules.format(value, path));
        result.matches++;
      }
    }
    if (kind !== 'integer' && kind !== 'number') return;
    for (const finding of rules.number(value as number | bigint, path)) result.add(finding);
    result.matches += 2;
  }

  #junctors(s: JSONSchemaProps, { value, path }: ValueAtPath, result: Result): void {
    const place = { value, path, correlation: undefined };
    if (s.anyOf !== undefined) this.#anyOf(s.anyOf, place, result);
    if (s.oneOf !== undefined) this.#oneOf(s.oneOf, place, result);
    if (s.allOf !== undefined) this.#allOf(s.allOf, place, result);
    if (s.not !== undefined && this.explain(s.not, place).valid) {
      result.add(compositeFinding(`${quote(path)} must not validate the schema (not)`));
    }
    result.matches += 2;
  }

  #anyOf(schemas: readonly JSONSchemaProps[], place: ValueAtPath, result: Result): void {
    let best: Result | undefined;
    for (const schema of schemas) {
      const branch = this.explain(schema, place);
      if (branch.valid) return result.merge(branch);
      if (best === undefined || branch.matches > best.matches) best = branch;
    }
    result.add(compositeFinding(`${quote(place.path)} must validate at least one schema (anyOf)`));
    if (best !== undefined) result.merge(best);
  }

  #oneOf(schemas: readonly JSONSchemaProps[], place: ValueAtPath, result: Result): void {
    const branches = schemas.map((schema) => this.explain(schema, place));
    const valid = branches.filter((branch) => branch.valid);
    const [only] = valid;
    if (only !== undefined && valid.length === 1) return result.merge(only);
    const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
    result.add(compositeFinding(`${quote(place.path)} must validate one and only one schema (oneOf). ${found}`));
    const best = branches.reduce<Result | undefined>(
      (a, b) => (a !== undefined && a.matches >= b.matches ? a : b),
      undefined,
    );
    if (valid.length === 0 && best !== undefined) result.merge(best);
  }

  #allOf(schemas: readonly JSONSchemaProps[], place: ValueAtPath, result: Result): void {
    const branches = schemas.map((schema) => this.explain(schema, place));
    for (const branch of branches) result.merge(branch);
    if (branches.every((branch) => branch.valid)) return;
    const none = branches.some((branch) => branch.valid) ? '' : '. None validated';
    result.add(compositeFinding(`${quote(place.path)} must validate all the schemas (allOf)${none}`));
  }

  #items(s: JSONSchemaProps, { value, path, correlation }: ValueAtPath, result: Result): void {
    const items = value as readonly Json[];
    if (s.items !== undefined) {
      for (const [i, item] of items.entries()) {
        this.#child(s.items, { value: item, path: `${path}[${i}]`, correlation: correlation?.index(i) }, result);
      }
    }
    const { minItems, maxItems } = s;
    if (minItems !== undefined && items.length < minItems) {
      result.add(otherFinding(path, items.length, `should have at least ${minItems} items`));
    }
    if (maxItems !== undefined && items.length > maxItems) {
      const text = `${path} in body should have at most ${maxItems} items`;
      result.add({ code: 'tooMany', name: path, value: items.length, limit: maxItems, text });
    }
    if (s.uniqueItems === true && !uniqueItems(items)) {
      result.add({ code: 'other', name: path, text: `${path} in body shouldn't contain duplicates` });
    }
    result.matches += 2;
  }

  #fields(s: JSONSchemaProps, value: JsonObject, { path, correlation }: ValueAtPath, result: Result): void {
    const names = Object.keys(value);
    this.#size(s, names.length, path, result);
    const additional = additionalSchema(s);
    for (const name of names) {
      const property = s.properties?.get(name);
      const schema = property ?? additional;
      if (schema === undefined) {
        if (s.additionalProperties === false) result.add(forbiddenProperty(path, name));
        continue;
      }
      const typeMeta = path === '' && (name === 'kind' || name === 'apiVersion');
      const at = property !== undefined && path === '' ? name : `${path}.${name}`;
      const child = typeMeta ? undefined : correlation?.key(name);
      this.#child(schema, { value: value[name] as Json, path: at, correlation: child }, result);
    }
    for (const name of s.required ?? []) {
      const isThere = Object.hasOwn(value, name);
      this.#budget.spend(isThere ? 1 : STEPS_OF_MISSING);
      if (!isThere) result.add(requiredFinding(`${path}.${name}`));
    }
    result.matches++;
  }

  #size({ minProperties, maxProperties }: JSONSchemaProps, size: number, path: string, result: Result): void {
    if (minProperties !== undefined && size < minProperties) {
      result.add(otherFinding(path, size, `should have at least ${minProperties} properties`));
    }
    if (maxProperties === undefined || size <= maxProperties) return;
    const text = `${path} in body should have at most ${maxProperties} properties`;
    result.add({ code: 'tooMany', name: path, value: size, limit: maxProperties, text });
  }
}

/** The cost of explaining a branch, in steps. Checking a branch costs one step. */
const STEPS_OF_BRANCH = 20;

/** The cost of a finding for a missing field, in steps. */
const STEPS_OF_MISSING = 40;

const forbiddenProperty = (path: string, name: string) =>
  ({ code: 'other', name: path, value: name, text: `${path}.${name} in body is a forbidden property` }) as const;
