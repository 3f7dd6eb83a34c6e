import { badRequest, rejected, requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import { marshal, quote } from '#lib/machinery/go.ts';
import { jsonKind } from '#lib/machinery/go-values.ts';
import { countValues } from '#lib/machinery/json.ts';
import { clone, equal, isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { addAt, type ContainerKey, findPlace, getAt, MISSING, removeAt, setAt } from './json-pointer.ts';
import { holdsLiterals, opaque, transparent } from './opaque-literals.ts';

const MAX_OPERATIONS = 10_000;
const MAX_COPY_BYTES = 3 * 1024 * 1024;
/** The maximum number of values that copies may add. Upstream limits only the bytes. */
const MAX_COPIED_VALUES = 50_000;
const MAX_MOVED = 50_000_000;
const FIELDS = ['op', 'path', 'from', 'value'];

/**
 * The state of a running patch. `copied` and `copiedValues` limit the values that copies add. `moved` limits the number of shifted
 * elements.
 */
interface Run {
  document: Json;
  copied: number;
  copiedValues: number;
  moved: number;
}

/** The reason why an operation does not apply; undefined if it did. */
type Refusal = string | undefined;

/** Operations of an RFC 6902 patch. */
export type JsonPatch = readonly (JsonObject | null)[];

/** Applies a patch to a copy of `document`. Throws `rejected`, with upstream's detail as its cause, if an operation does not apply. */
export function applyJsonPatch(document: Json, operations: JsonPatch): Json {
  const isLiteral = operations.some(holdsLiterals);
  const run: Run = { document: clone(document), copied: 0, copiedValues: 0, moved: 0 };
  for (const operation of isLiteral ? operations.map((one) => one && opaque(one)) : operations) {
    const refusal = apply(run, operation) ?? movedTooMuch(run);
    if (refusal !== undefined) throw rejected(refusal);
  }
  return isLiteral ? transparent(run.document) : run.document;
}

/** Returns the number of elements that an operation may shift: none at a list's end. */
const elementsAt = ({ container, key }: ContainerKey): number =>
  Array.isArray(container) && key !== '-' ? container.length : 0;

const movedTooMuch = ({ moved }: Run): Refusal =>
  moved > MAX_MOVED ? `Unable to complete the patch, which moves more than ${MAX_MOVED} elements of lists` : undefined;

const TEST_FAILED = 'test failed';

/** Whether `applyJsonPatch` threw because a test failed. */
export const failsTest = ({ cause }: StatusError): boolean => typeof cause === 'string' && cause.endsWith(TEST_FAILED);

/**
 * Returns unknown and duplicate fields of operations, with the messages of upstream's strict decoding. `duplicates` are the duplicates that
 * the JSON decoder found. Duplicates within a value or of unknown fields are not reported.
 */
export function jsonPatchFaults(patch: Json, duplicates: readonly string[] = []): string[] {
  if (!Array.isArray(patch)) return [];
  const repeated = new Set(duplicates);
  return patch.flatMap((operation, i) => {
    if (!isObject(operation)) return [];
    return Object.keys(operation).flatMap((field) => {
      const place = quote(`[${i}].${field}`);
      if (!FIELDS.includes(field)) return [`json patch unknown field ${place}`];
      return repeated.has(`duplicate field ${place}`) ? [`json patch duplicate field ${place}`] : [];
    });
  });
}

/** Checks a decoded body. Throws BadRequest if it is not a patch, and RequestEntityTooLarge above 10,000 operations. */
export function decodeJsonPatch(patch: Json): JsonPatch {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw undecodable(jsonKind(patch), 'value of type []handlers.jsonPatchOp');
  for (const operation of patch) checkOperation(operation);
  if (patch.length > MAX_OPERATIONS) {
    const allowed = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`;
    throw requestEntityTooLarge(allowed);
  }
  return patch as (JsonObject | null)[];
}

function checkOperation(operation: Json): void {
  if (operation === null) return;
  if (!isObject(operation)) throw undecodable(jsonKind(operation), 'value of type handlers.jsonPatchOp');
  for (const field of ['op', 'path', 'from']) {
    const value = ownField(operation, field) ?? null;
    if (value !== null && typeof value !== 'string') {
      throw undecodable(jsonKind(value), `struct field jsonPatchOp.${field} of type string`);
    }
  }
}

const undecodable = (kind: string, target: string): Error =>
  badRequest(`error decoding patch: json: cannot unmarshal ${kind} into Go ${target}`);

function apply(run: Run, operation: JsonObject | null): Refusal {
  const kind = textOf(operation, 'op') ?? 'unknown';
  switch (kind) {
    case 'add':
      return add(run, operation);
    case 'remove':
      return remove(run, operation);
    case 'replace':
      return replace(run, operation);
    case 'move':
      return move(run, operation);
    case 'test':
      return test(run, operation);
    case 'copy':
      return copy(run, operation);
    default:
      return `Unexpected kind: ${kind}`;
  }
}

function textOf(operation: JsonObject | null, field: string): string | undefined {
  const value = operation === null ? undefined : ownField(operation, field);
  return typeof value === 'string' ? value : undefined;
}

/** Returns a copy of the operation's value, because a patch may run again on a newer document. */
function valueOf(operation: JsonObject | null): Json {
  return clone((operation === null ? undefined : ownField(operation, 'value')) ?? null);
}

const NO_PATH = `operation missing path field: ${MISSING}`;
const NO_FROM = `operation, missing from field: ${MISSING}`;

function add(run: Run, operation: JsonObject | null): Refusal {
  const path = textOf(operation, 'path');
  if (path === undefined) return `add operation failed to decode path: ${MISSING}`;
  const place = findPlace(run.document, path);
  if (place === undefined) return `add operation does not apply: doc is missing path: "${path}": ${MISSING}`;
  run.moved += elementsAt(place);
  const fault = addAt(place, valueOf(operation));
  return fault && `error in add for path: '${path}': ${fault.fault}`;
}

function remove(run: Run, operation: JsonObject | null): Refusal {
  const path = textOf(operation, 'path');
  if (path === undefined) return `remove operation failed to decode path: ${MISSING}`;
  const place = findPlace(run.document, path);
  if (place === undefined) return `remove operation does not apply: doc is missing path: "${path}": ${MISSING}`;
  run.moved += elementsAt(place);
  const fault = removeAt(place);
  return fault && `error in remove for path: '${path}': ${fault.fault}`;
}

/** Upstream's replace adds an absent field, and fails for an absent element. */
function replace(run: Run, operation: JsonObject | null): Refusal {
  const path = textOf(operation, 'path');
  if (path === undefined) return `replace operation failed to decode path: ${NO_PATH}`;
  if (path === '') return replaceDocument(run, valueOf(operation));
  const place = findPlace(run.document, path);
  if (place === undefined) return `replace operation does not apply: doc is missing path: ${path}: ${MISSING}`;
  if (getAt(place).fault !== undefined)
    return `replace operation does not apply: doc is missing key: ${path}: ${MISSING}`;
  const fault = setAt(place, valueOf(operation));
  return fault && `error in remove for path: '${path}': ${fault.fault}`;
}

function replaceDocument(run: Run, value: Json): Refusal {
  if (!isObject(value) && !Array.isArray(value)) return 'replace operation value must be object or array: %!w(<nil>)';
  run.document = value;
  return undefined;
}

function move(run: Run, operation: JsonObject | null): Refusal {
  const from = textOf(operation, 'from');
  if (from === undefined) return `move operation failed to decode from: ${NO_FROM}`;
  const source = findPlace(run.document, from);
  if (source === undefined) return `move operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
  const found = getAt(source);
  run.moved += elementsAt(source);
  const fault = found.fault === undefined ? removeAt(source)?.fault : found.fault;
  if (found.fault !== undefined || fault !== undefined) return `error in move for path: '${source.key}': ${fault}`;
  const target = destination(run, operation, 'move');
  if (typeof target === 'string') return target;
  run.moved += elementsAt(target);
  const refused = addAt(target, found.value ?? null);
  return refused && `error in move for path: '${textOf(operation, 'path')}': ${refused.fault}`;
}

function destination(run: Run, operation: JsonObject | null, verb: 'move' | 'copy'): ContainerKey | string {
  const path = textOf(operation, 'path');
  if (path === undefined) {
    return `${verb} operation failed to decode path: ${verb === 'move' ? NO_PATH : MISSING}`;
  }
  const place = findPlace(run.document, path);
  return place ?? `${verb} operation does not apply: doc is missing destination path: ${path}: ${MISSING}`;
}

/** Upstream's copy of an absent field copies null. */
function copy(run: Run, operation: JsonObject | null): Refusal {
  const from = textOf(operation, 'from');
  if (from === undefined) return `copy operation failed to decode from: ${NO_FROM}`;
  const source = findPlace(run.document, from);
  if (source === undefined) return `copy operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
  const found = getAt(source);
  if (found.fault !== undefined) return `error in copy for from: '${from}': ${found.fault}`;
  const value = found.value ?? null;
  const target = destination(run, operation, 'copy');
  if (typeof target === 'string') return target;
  run.copiedValues += countValues(value, MAX_COPIED_VALUES);
  if (run.copiedValues > MAX_COPIED_VALUES) return TOO_MANY_COPIED;
  run.copied += value === null ? 0 : Buffer.byteLength(marshal(value));
  if (run.copied > MAX_COPY_BYTES) return tooMuchCopied(run.copied);
  run.moved += elementsAt(target);
  const fault = addAt(target, clone(value));
  return fault && `error while adding value during copy: ${fault.fault}`;
}

const TOO_MANY_COPIED = `Unable to complete the copy, more than ${MAX_COPIED_VALUES} fields and items are copied`;
const tooMuchCopied = (size: number): string =>
  `Unable to complete the copy, the accumulated size increase of copy is ${size}, exceeding the limit ${MAX_COPY_BYTES}`;

function test(run: Run, operation: JsonObject | null): Refusal {
  const path = textOf(operation, 'path');
  if (path === undefined) return `test operation failed to decode path: ${NO_PATH}`;
  const expected = (operation === null ? undefined : ownField(operation, 'value')) ?? null;
  const failed = `testing value ${path} failed: ${TEST_FAILED}`;
  if (path === '') return equal(run.document, expected) ? undefined : failed;
  const place = findPlace(run.document, path);
  if (place === undefined) return `test operation does not apply: is missing path: ${path}: ${MISSING}`;
  const found = getAt(place);
  if (found.fault !== undefined) return `error in test for path: '${path}': ${found.fault}`;
  return equal(found.value ?? null, expected) ? undefined : failed;
}
