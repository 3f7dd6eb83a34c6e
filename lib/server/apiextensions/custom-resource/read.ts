import { DecodeError } from '#lib/api/codec/error.ts';
import { pruneNulls } from '#lib/api/schema/defaulting.ts';
import { coerce } from '#lib/api/schema/object-meta.ts';
import { readObjectMeta } from '#lib/api/schema/object-meta-fields.ts';
import { prune } from '#lib/api/schema/pruning.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { quote } from '#lib/machinery/go.ts';
import { type JsonObject, ownField, setField, stringAt } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';

/** How to read an object: its schema and its origin. */
export interface ReadOptions {
  readonly schema: Structural | undefined;
  readonly preserveUnknownFields: boolean;
  /** If true, the object comes from storage. Malformed metadata is then omitted, and a missing generation is 1. */
  readonly stored?: boolean;
  /** If true, keeps nulls for validation to reject. */
  readonly keepNulls?: boolean;
  /** Receives the messages of strict decoding: `unknown field "spec.foo"`. */
  readonly unknown?: string[];
}

/**
 * Upstream's `unstructuredSchemaCoercer`, in place. Decodes metadata like Go, prunes unknown fields and forbidden nulls, and coerces
 * embedded metadata. Throws DecodeError with Go's text.
 */
export function readCustomResource(object: JsonObject, options: ReadOptions): void {
  const { schema, stored = false } = options;
  const paths: string[] | undefined = options.unknown === undefined ? undefined : [];
  const kept = keepMeta(object, stored, paths);
  if (!options.preserveUnknownFields) {
    prune(object, schema, true, paths);
    pruneNulls(object, schema, options.keepNulls);
  }
  const embedded: string[] = [];
  const error = coerce(object, schema, false, {
    dropInvalid: stored,
    unknown: paths === undefined ? undefined : embedded,
  });
  if (error !== undefined) throw new DecodeError(errorText(error));
  for (const path of [...(paths ?? []), ...embedded.sort()]) options.unknown?.push(`unknown field ${quote(path)}`);
  for (const [field, value] of kept) if (value !== undefined) setField(object, field, value);
}

/** Removes apiVersion, kind and the decoded metadata temporarily, because pruning must not change them. */
function keepMeta(object: JsonObject, stored: boolean, paths: string[] | undefined) {
  const metadata = ownField(object, 'metadata');
  const unknown: string[] | undefined = paths === undefined ? undefined : [];
  const meta = metadata === undefined ? undefined : readObjectMeta(metadata, { dropMalformed: stored, unknown });
  if (typeof meta === 'string') throw new DecodeError(meta);
  for (const path of unknown ?? []) paths?.push(`metadata.${path}`);
  if (meta !== undefined && stored) meta['generation'] ??= 1;
  return [
    ['apiVersion', stringAt(object, 'apiVersion')],
    ['kind', stringAt(object, 'kind')],
    ['metadata', meta],
  ] as const;
}
