import { DynamicObject, misplaced } from '#lib/api/admission-cel/dynamic-object.ts';
import { NotJson, toJson } from '#lib/api/admission-cel/to-json.ts';
import { ListValue, type Value } from '#lib/api/cel/values/value.ts';
import { applyJsonPatch, failsTest } from '#lib/api/patch/json-patch.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { MutationFault } from './mutation-fault.ts';

/** Applies the operations to the object. If a test operation fails, returns the object unchanged. Throws MutationFault. */
export function patchByExpression(live: JsonObject, operations: Value): JsonObject {
  if (!(operations instanceof ListValue)) throw new MutationFault(NO_LIST);
  const patch = Array.from({ length: operations.size }, (_, i) => operationOf(operations.get(i)));
  try {
    const patched = applyJsonPatch(live, patch);
    if (!isObject(patched)) throw new MutationFault('JSON Patch: the patched document is not an object');
    return patched;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (failsTest(error)) return live;
    throw new MutationFault(`JSON Patch: ${String(error.cause ?? error.message)}`, { cause: error });
  }
}

const NO_LIST = 'type mismatch: JSONPatchType.expression should evaluate to array';

function operationOf(value: Value): JsonObject {
  if (!(value instanceof DynamicObject)) throw new MutationFault(`${NO_LIST} of JSONPatch`);
  const operation: JsonObject = {};
  for (const [field, part] of value.fields) {
    if (field === 'value') operation[field] = valueOf(part);
    else if (typeof part === 'string' && (field !== 'from' || part !== '')) operation[field] = part;
  }
  return { op: '', path: '', ...operation };
}

function valueOf(value: Value): JsonObject[string] {
  const wrong = value instanceof DynamicObject ? misplaced(value, value.type.name) : [];
  if (wrong.length > 0) throw new MutationFault(`type mismatch: ${wrong.join('\n')}`);
  try {
    return toJson(value);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const why = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';
    throw new MutationFault(`${why}: ${error.message}`, { cause: error });
  }
}
