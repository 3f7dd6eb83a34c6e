import { encodeObject, parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { sealedAt } from '#lib/storage/encryption/sealed-body.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { Outline } from '#lib/storage/sequence.ts';

/** In stored JSON this can only be a field name, because a string would contain escaped quotes. */
const SCHEMA = '"openAPIV3Schema":';
const NULL = Buffer.from('null');
const [QUOTE, ESCAPE, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** Parses a stored definition with null in place of each schema. Schemas are most of its bytes and are skipped unparsed. */
export function parseOutline(body: Uint8Array): JsonObject {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(SCHEMA); at >= 0; at = bytes.indexOf(SCHEMA, from)) {
    const value = at + SCHEMA.length;
    parts.push(bytes.subarray(from, value), NULL);
    from = bytes[value] === OPEN ? objectEnd(bytes, value) : value + NULL.length;
  }
  const outline = parseStored(Buffer.concat([...parts, bytes.subarray(from)]));
  if (!isObject(outline)) throw new TypeError('a stored definition is no object');
  return outline;
}

/** The metadata that identifies and labels an object, and indicates its deletion. */
const METADATA: ReadonlySet<string> = new Set([
  'resourceVersion',
  'name',
  'uid',
  'generation',
  'labels',
  'ownerReferences',
  'creationTimestamp',
  'deletionTimestamp',
]);

const SPEC: ReadonlySet<string> = new Set(['group', 'scope', 'versions', 'preserveUnknownFields']);
const NOT_OF_VERSION: ReadonlySet<string> = new Set(['schema', 'additionalPrinterColumns']);
const CONDITION: ReadonlySet<string> = new Set(['type', 'status']);

/**
 * Returns the parts of a definition that determine which resources it serves. Returns undefined for other objects and for encrypted ones.
 */
export const definitionOutline: Outline = (key, body) => {
  const { group, resource } = parseKey(key);
  if (resource !== 'customresourcedefinitions' || group !== 'apiextensions.k8s.io') return undefined;
  if (sealedAt(body) >= 0) return undefined;
  const crd = parseOutline(body);
  const [spec, status] = [objectAt(crd, 'spec'), objectAt(crd, 'status')];
  const versions = objectsAt(spec, 'versions').map((one) => fieldsOf(one, (name) => !NOT_OF_VERSION.has(name)));
  const conditions = objectsAt(status, 'conditions').map((one) => fieldsOf(one, (name) => CONDITION.has(name)));
  return encodeObject({
    metadata: fieldsOf(objectAt(crd, 'metadata'), (name) => METADATA.has(name)),
    spec: { ...fieldsOf(spec, (name) => SPEC.has(name)), versions },
    status: { acceptedNames: objectAt(status, 'acceptedNames') ?? {}, conditions },
  });
};

const objectsAt = (object: JsonObject | undefined, field: string): JsonObject[] =>
  arrayAt(object, field).filter(isObject);

const fieldsOf = (object: JsonObject | undefined, isKept: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => isKept(name)));

/** Returns the position after the object that begins at `start`. */
function objectEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = textEnd(bytes, i);
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return i + 1;
  }
  return bytes.length;
}

/** Returns the position of the quote that ends the string which begins at `start`. */
function textEnd(bytes: Buffer, start: number): number {
  let i = start + 1;
  for (let byte = bytes[i]; byte !== QUOTE && byte !== undefined; byte = bytes[++i]) if (byte === ESCAPE) i++;
  return i;
}
