import type { FlowSchema, PriorityLevelConfiguration } from '#lib/api/types/flowcontrol.v1.ts';
import { duplicate, type FieldError, FieldPath, required } from '#lib/machinery/validation/field.ts';
import type { UpdateStrategy } from '../../strategy.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { keepField } from '../shared/status.ts';
import { keepMetadata } from '../shared/status-metadata.ts';

const CONDITIONS = FieldPath.of('status', 'conditions');

/** Rejects conditions without a type or with a duplicate type. */
export function conditionErrors(object: FlowSchema | PriorityLevelConfiguration): FieldError[] {
  const types = (object.status.conditions ?? []).map((condition) => condition.type ?? '');
  const again = new Set(repeatedAt(types));
  return types.flatMap((type, i) => {
    const path = CONDITIONS.index(i).child('type');
    return [...(again.has(i) ? [duplicate(path, type)] : []), ...(type === '' ? [required(path)] : [])];
  });
}

/** A status endpoint that changes only status. */
export const statusOnly: UpdateStrategy<FlowSchema | PriorityLevelConfiguration> = {
  prepareForUpdate(object, old) {
    keepField(object, old, 'spec');
    keepMetadata(object, old);
  },
  validateUpdate: conditionErrors,
};
