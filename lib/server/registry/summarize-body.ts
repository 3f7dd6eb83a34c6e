import { resourcesOf } from '#lib/api/kinds.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import type { Summary } from '#lib/storage/sequence.ts';
import { STRATEGIES } from './kinds/strategies.ts';
import { summarize } from './summarize.ts';

/** The summary of stored bytes that have none (from a checkpoint), with the selectable fields of their kind. */
export function summarizeBody(body: Uint8Array): Summary {
  const object = parseStored(body);
  if (!isObject(object)) throw new TypeError('a stored body holds no object');
  return summarize(object, fieldsOf(object));
}

/** The selectable fields for the kind in the body. Those of custom resources are read from the object on demand. */
function fieldsOf(object: JsonObject): Record<string, string> {
  const gv = parseApiVersion(stringAt(object, 'apiVersion') ?? '');
  const kind = stringAt(object, 'kind') ?? '';
  const resource = gv && resourcesOf(gv).find((facts) => facts.kind === kind);
  return (resource && STRATEGIES[`${resource.group}/${resource.resource}`]?.selectableFields?.(whole(object))) ?? {};
}

/**
 * Adds the structs that contain selectable fields. Strategies expect decoded objects, which always have them, but bytes from a file may
 * not.
 */
const whole = (object: JsonObject): JsonObject => ({
  ...object,
  spec: objectAt(object, 'spec') ?? {},
  status: objectAt(object, 'status') ?? {},
  involvedObject: objectAt(object, 'involvedObject') ?? {}, // for events, like `source`
  source: objectAt(object, 'source') ?? {},
});
