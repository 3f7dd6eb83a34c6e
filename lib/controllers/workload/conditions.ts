import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

export type Conditions = readonly JsonObject[];

export const conditionsOf = (object: JsonObject): Conditions => items(objectAt(object, 'status'), 'conditions');

export const conditionOf = (conditions: Conditions, type: string): JsonObject | undefined =>
  conditions.find((one) => text(one, 'type') === type);

export const without = (conditions: Conditions, type: string): Conditions =>
  conditions.filter((one) => text(one, 'type') !== type);

/** As objects carry it. */
export const timeOf = (now: number): string => timeText(instantOf(new Date(now))) ?? '';
