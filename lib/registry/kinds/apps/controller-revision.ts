import { isObject, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { FieldPath, required, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { nonnegative } from '../shared/validate.ts';

const ROOT = FieldPath.of();

function data(revision: JsonObject): FieldError[] {
  const value = ownField(revision, 'data');
  if (isObject(value)) return [];
  const missing = value === undefined || value === null;
  return [required(ROOT.child('data'), missing ? 'data is mandatory' : 'data must be a valid JSON object')];
}

/** Upstream's pkg/registry/apps/controllerrevision. */
export const controllerRevisionStrategy: KindStrategy = {
  hasGeneration: false,
  validate: (revision) => [...nonnegative(revision, ROOT, 'revision'), ...data(revision)],
  validateUpdate: (revision, old) => [
    ...nonnegative(revision, ROOT, 'revision'),
    ...immutable(revision, old, 'data', ROOT),
  ],
};
