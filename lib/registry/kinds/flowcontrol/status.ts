import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, duplicate, required, type FieldError } from '#lib/machinery/validation/field.ts';
import type { UpdateStrategy } from '../../strategy.ts';
import { keepMetadata } from '../shared/status-metadata.ts';
import { keepField } from '../shared/status.ts';
import { repeatedAt } from '../shared/repeats.ts';

const CONDITIONS = FieldPath.of('status', 'conditions');

/** Conditions have a type each, and no two the same. */
export function conditionErrors(object: JsonObject): FieldError[] {
  const types = items(objectAt(object, 'status'), 'conditions').map((condition) => text(condition, 'type'));
  const again = new Set(repeatedAt(types));
  return types.flatMap((type, i) => {
    const path = CONDITIONS.index(i).child('type');
    return [...(again.has(i) ? [duplicate(path, type)] : []), ...(type === '' ? [required(path)] : [])];
  });
}

/** A status endpoint that changes nothing else. */
export const statusOnly: UpdateStrategy = {
  prepareForUpdate(object, old) {
    keepField(object, old, 'spec');
    keepMetadata(object, old);
  },
  validateUpdate: conditionErrors,
};
