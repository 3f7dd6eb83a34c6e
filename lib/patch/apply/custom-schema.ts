import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { typedStruct } from './kind-schema.ts';
import { typedSchemaOf } from './openapi-schema.ts';
import { DEDUCED, type TypedSchema } from './schema.ts';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/**
 * A custom kind as structured merge sees it, from a version's `openAPIV3Schema`: with the metadata that every object has.
 * Without a schema maps are granular and lists atomic.
 */
export function customTypedSchema(schema: JsonObject | undefined, preserveUnknownFields = false): TypedSchema {
  if (schema === undefined) return DEDUCED;
  const text = { type: 'string' };
  const metadata = { $ref: `#/components/schemas/${OBJECT_META}` };
  const properties = { ...objectAt(schema, 'properties'), apiVersion: text, kind: text, metadata };
  const types = (name: string): TypedSchema | undefined =>
    name === OBJECT_META ? typedStruct('meta.v1.ObjectMeta') : undefined;
  return typedSchemaOf({ ...schema, properties }, types, preserveUnknownFields);
}
