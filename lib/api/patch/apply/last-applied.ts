import { marshal } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { compare } from './compare.ts';
import { difference, type FieldSet } from './field-set.ts';
import { toFieldSet } from './to-field-set.ts';
import { validate } from './validate.ts';
import type { Versioned } from './versions.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const MAX_ANNOTATION_BYTES = 256 * 1024;

function lastAppliedOf(object: JsonObject): string | undefined {
  return stringAt(objectAt(objectAt(object, 'metadata'), 'annotations'), ANNOTATION) || undefined;
}

/**
 * Returns the fields that client-side `kubectl apply` owns: those in its annotation that have the same value in the live object. They cause
 * no conflicts when kubectl switches to server-side apply. Undefined if the annotation is absent or invalid.
 */
export function ownedByClientSideApply({ object, schema, apiVersion }: Versioned): FieldSet | undefined {
  const applied = parse(lastAppliedOf(object));
  if (!isObject(applied) || stringAt(applied, 'apiVersion') !== apiVersion) return undefined;
  if (validate(object, schema).length > 0 || validate(applied, schema).length > 0) return undefined;
  const { added, modified, removed, problems } = compare(applied, object, schema);
  if (problems.length > 0) return undefined;
  return [modified, added, removed].reduce(difference, toFieldSet(applied, schema));
}

function parse(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeJson(Buffer.from(text)).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** After kubectl's server-side apply, updates the annotation if it exists. Removes it if it would be too large. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  if (lastAppliedOf(object) === undefined) return object;
  const metadata = objectAt(object, 'metadata') as JsonObject;
  const annotations = {
    ...objectAt(metadata, 'annotations'),
    [ANNOTATION]: `${marshal(withoutAnnotation(applied))}\n`,
  };
  if (sizeOf(annotations) <= MAX_ANNOTATION_BYTES) return { ...object, metadata: { ...metadata, annotations } };
  const { [ANNOTATION]: _, ...others } = annotations;
  return { ...object, metadata: { ...metadata, annotations: others } };
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const metadata = objectAt(applied, 'metadata');
  const annotations = objectAt(metadata, 'annotations');
  if (annotations === undefined || !Object.hasOwn(annotations, ANNOTATION)) return applied;
  const { [ANNOTATION]: _, ...others } = annotations;
  return { ...applied, metadata: { ...metadata, annotations: others } };
}

function sizeOf(annotations: JsonObject): number {
  return Object.entries(annotations).reduce((sum, [name, value]) => sum + bytes(name) + bytes(value), 0);
}

const bytes = (value: Json): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);
