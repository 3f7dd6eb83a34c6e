import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Conversion `None`: the same object under another apiVersion. Shares everything with `object`. */
export function convertNone(object: JsonObject, apiVersion: string): JsonObject {
  return object['apiVersion'] === apiVersion ? object : { ...object, apiVersion };
}
