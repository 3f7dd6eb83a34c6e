import type { Condition } from '#lib/controller/condition.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { integer, items } from '#lib/machinery/unstructured.ts';

/** An object's conditions; what one does not say is empty. */
export const conditionsIn = (object: JsonObject): readonly Condition[] =>
  items(objectAt(object, 'status'), 'conditions').map(conditionOf);

function conditionOf(one: JsonObject): Condition {
  const textOf = (field: string): string => stringAt(one, field) ?? '';
  const status = one['status'] === 'True' || one['status'] === 'False' ? one['status'] : 'Unknown';
  const generation = integer(one, 'observedGeneration');
  return {
    type: textOf('type'),
    status,
    ...(generation === undefined ? {} : { observedGeneration: Number(generation) }),
    lastTransitionTime: textOf('lastTransitionTime'),
    reason: textOf('reason'),
    message: textOf('message'),
  };
}
