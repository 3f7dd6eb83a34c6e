import { badRequest, rejected, type StatusError, unclassified } from '#lib/machinery/errors.ts';
import { goType, goValue } from '#lib/machinery/go-values.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';

/** A 400 for a malformed directive. Lists of lists are a 422, and all other errors a plain 500 with upstream's text. */
export const badPrimitiveList = (): StatusError => badRequest('invalid patch format of primitive list');
/** A 400 for a `$retainKeys` directive that is not a list of strings. */
export const badRetainKeys = (): StatusError => badRequest('invalid patch format of retainKeys');
/** A 400 for a `$setElementOrder` directive that does not fit the list. */
export const badElementOrder = (): StatusError => badRequest('invalid patch format of setElementOrder list');
/** An error for a list of lists, which has no merge key. */
export const listOfLists = (): StatusError => rejected('lists of lists are not supported');

/** An error for a value of the wrong type, with Go's text. */
export const wrongType = (expected: 'map[string]interface {}' | '[]interface {}', actual: Json): StatusError =>
  unclassified(`expected a ${expected}, but received a ${goType(actual)}`);

/** An error for an item without its merge key. */
export const noMergeKey = (item: JsonObject, key: string): StatusError =>
  unclassified(`map: ${goValue(item)} does not contain declared merge key: ${key}`);

/** An error for a value of `$patch` that is not a directive. */
export const unknownDirective = (directive: Json, patch: JsonObject): StatusError =>
  unclassified(`unknown patch type: ${asText(directive)} in map: ${goValue(patch)}`);

/** Go's `%s` of a value that is not necessarily a string. */
function asText(value: Json): string {
  if (typeof value === 'string' || Array.isArray(value)) return goValue(value);
  if (value === null) return '%!s(<nil>)';
  return typeof value === 'object' ? goValue(value) : `%!s(${goType(value)}=${String(value)})`;
}
