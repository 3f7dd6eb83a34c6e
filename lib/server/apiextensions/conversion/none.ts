import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Conversion `None`: returns the object with another apiVersion. Shares everything else with `object`. */
export function convertNone(object: JsonObject, apiVersion: string): JsonObject {
  return object['apiVersion'] === apiVersion ? object : { ...object, apiVersion };
}
