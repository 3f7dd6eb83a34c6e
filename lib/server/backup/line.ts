import { decodeTyped } from '#lib/api/codec/decode.ts';
import { findKind } from '#lib/api/kinds.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import type { Version } from '#lib/storage/sequence.ts';

/** The format that this program writes, and the newest one that it reads. */
export const FORMAT = 1;

/** The depth limit of requests, plus one for the line around the object. */
const MAX_DEPTH = 1_001;

/** One line of an export. */
export type Line =
  | { readonly kind: 'head'; readonly secrets: boolean }
  /** The following objects belong to this sequence at this version. */
  | { readonly kind: 'sequence'; readonly name: string; readonly version: Version }
  | { readonly kind: 'object'; readonly key: string; readonly object: JsonObject }
  | { readonly kind: 'end'; readonly objects: number };

/** A file that is not an export, or is incomplete. */
export class BackupError extends Error {}

const bytes = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

/** The first line of an export. */
export const headLine = (secrets: boolean): Uint8Array => bytes({ davit: 'export', format: FORMAT, secrets });
/** The line that begins a sequence. The versions of its objects are at most `version`. */
export const sequenceLine = (name: string, version: Version): Uint8Array => bytes({ sequence: name, version });
/** The last line of an export. Its count shows that the export is complete. */
export const endLine = (objects: number): Uint8Array => bytes({ end: true, objects });

/** The line of an object with its stored bytes unchanged. */
export const objectLine = (key: string, body: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`{"key":${JSON.stringify(key)},"object":`), body, Buffer.from('}\n')]);

/** Parses a line. Throws BackupError. */
export function parseLine(text: string): Line {
  const line = parsed(text);
  const { format, secrets, version, objects } = line;
  if (line['davit'] === 'export') {
    if (format !== FORMAT) throw new BackupError(`format ${String(format)} of exports is not known, only ${FORMAT}`);
    return { kind: 'head', secrets: secrets === true };
  }
  const [name, key, object] = [stringAt(line, 'sequence'), stringAt(line, 'key'), objectAt(line, 'object')];
  if (name !== undefined && isCount(version)) return { kind: 'sequence', name, version };
  if (key !== undefined && object !== undefined) return { kind: 'object', key, object: decoded(key, object) };
  if (line['end'] === true && isCount(objects)) return { kind: 'end', objects };
  throw new BackupError('a line is none of an export');
}

/** An object of a built-in kind with all the fields that its type always has, because readers of stored objects rely on them. */
function decoded(key: string, object: JsonObject): JsonObject {
  const gv = parseApiVersion(stringAt(object, 'apiVersion') ?? '');
  const gvk = gv && { ...gv, kind: stringAt(object, 'kind') ?? '' };
  if (gvk === undefined || findKind(gvk) === undefined) return object;
  try {
    return decodeTyped(gvk, object).object;
  } catch (error) {
    const why = messageOfError(error);
    throw new BackupError(`object ${key} does not decode: ${why}`, { cause: error });
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function parsed(text: string): JsonObject {
  try {
    const { value, duplicates } = decodeJson(Buffer.from(text), { maxDepth: MAX_DEPTH });
    if (duplicates.length > 0) throw new BackupError('a line has a field twice');
    if (isObject(value)) return value;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError('a line is no JSON, or too deep', { cause: error });
  }
  throw new BackupError('a line is no object');
}
