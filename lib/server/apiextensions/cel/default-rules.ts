import { RUNTIME_BUDGET } from '#lib/api/cel/library/limits.ts';
import type { DefaultRules } from '#lib/api/schema/defaults-validation.ts';
import { traitsOf } from '#lib/api/schema/traits.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { Ratcheting } from './ratcheting.ts';
import { RuleValidator } from './rule-validator.ts';
import type { Run } from './run.ts';

/** Runs rules on the defaults of one schema within one budget, both as an update without changes and as a create. */
export function defaultRules(): DefaultRules {
  let budget = RUNTIME_BUDGET;
  return (schema, value, path, resource) => {
    const validator = traitsOf(schema).validations ? RuleValidator.of(schema, schema, resource) : undefined;
    if (validator === undefined || budget < 0) return [];
    const copy = clone(value);
    const unchanged: Run = { errors: [], forgiven: [], budget };
    validator.run(unchanged, path, copy, copy, new Ratcheting(undefined));
    budget = unchanged.budget;
    if (unchanged.errors.length > 0) return unchanged.errors;
    const created: Run = { errors: [], forgiven: [], budget: Math.max(unchanged.budget, 0) };
    validator.run(created, path, copy, undefined, new Ratcheting(undefined));
    budget = Math.min(budget, created.budget);
    return created.errors;
  };
}
