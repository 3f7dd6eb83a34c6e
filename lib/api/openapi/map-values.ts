import type { Json, JsonObject } from '#lib/machinery/json-value.ts';

/** The object with each value replaced. An empty object for undefined. */
export const mapValues = (object: JsonObject | undefined, map: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [key, map(value, key)]));
