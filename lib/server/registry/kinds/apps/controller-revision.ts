import type { ControllerRevision } from '#lib/api/types/apps.v1.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, required } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { nonnegative } from '../shared/validate.ts';

const ROOT = FieldPath.of();

function data(revision: ControllerRevision): FieldError[] {
  if (isObject(revision.data)) return [];
  return [
    required(ROOT.child('data'), revision.data === null ? 'data is mandatory' : 'data must be a valid JSON object'),
  ];
}

/** Upstream's pkg/registry/apps/controllerrevision. */
export const controllerRevisionStrategy: KindStrategy<ControllerRevision> = {
  hasGeneration: false,
  validate: (revision) => [...nonnegative(revision, ROOT, 'revision'), ...data(revision)],
  validateUpdate: (revision, old) => [
    ...nonnegative(revision, ROOT, 'revision'),
    ...immutable(revision, old, 'data', ROOT),
  ],
};
