import { invalid } from '#lib/machinery/errors.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { type FieldError, FieldPath, invalid as invalidField } from '#lib/machinery/validation/field.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { type DeleteOptions, IGNORE_READ_ERROR } from '../rest/delete.ts';
import { keyOf } from './encode.ts';

/**
 * Deletes an object that cannot be read, without checking preconditions, finalizers or admission (KEP-3926). Watchers receive its name.
 * Returns false if the object is readable or does not exist. Throws 403 and 422.
 */
export async function discardObject(
  definition: ResourceDefinition,
  context: OperationContext,
  name: string,
  options: DeleteOptions,
): Promise<boolean> {
  const { resource, namespaced, storage } = definition;
  const key = keyOf(definition, context, name);
  if (!(await isDamaged(definition, key))) return false;
  const errors = besideIgnoring(options);
  if (errors.length > 0) throw invalid({ group: resource.group, kind: resource.resource }, name, errors);
  await context.mayDiscard?.();
  const metadata = { name, ...(namespaced ? { namespace: context.namespace } : {}) };
  return storage.discard(key, encodeObject(lastState(definition, metadata)));
}

/** The object in the DELETED event. Built-in kinds are decoded so that all fields of their type are present. */
function lastState({ scheme, storedAs, custom }: ResourceDefinition, metadata: JsonObject): JsonObject {
  const { kind } = scheme.kind;
  if (custom) return { kind, apiVersion: apiVersion(storedAs), metadata };
  const { object } = scheme.decode({ kind, apiVersion: apiVersion(scheme.kind), metadata });
  return scheme.toStored(scheme.toHub(object));
}

async function isDamaged({ storage }: ResourceDefinition, key: string): Promise<boolean> {
  try {
    await storage.get(key, { kind: 'fresh' });
    return false;
  } catch (error) {
    if (error instanceof StoreError && (error.code === 'Corrupt' || error.code === 'Undecryptable')) return true;
    throw error;
  }
}

const OTHERS = ['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'] as const;

/** Rejects all other options, because an object that cannot be read cannot satisfy them. */
function besideIgnoring(options: DeleteOptions): FieldError[] {
  const given = OTHERS.filter((field) => options[field] !== undefined);
  return [...(options.dryRun.length > 0 ? ['dryRun'] : []), ...given].map((field) =>
    invalidField(FieldPath.of(IGNORE_READ_ERROR), true, `cannot be set together with .${field}`),
  );
}
