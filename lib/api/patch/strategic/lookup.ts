import { unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { PatchField, PatchSchema } from './schema.ts';

/** How a field is patched: the schema of its value (for a list, of its items), its strategy without retainKeys, and its merge key. */
export interface FieldPatch {
  readonly schema: PatchSchema;
  readonly strategy: string;
  readonly mergeKey: string;
}

/** Looks up a field that contains an object. Throws upstream's 500 if the type has no such field. */
export function lookupStruct(schema: PatchSchema, name: string): FieldPatch {
  const { type, strategies, mergeKey } = lookup(schema, name);
  return { schema: type, strategy: strategyOf(strategies), mergeKey };
}

/** Looks up a field that contains a list. */
export function lookupSlice(schema: PatchSchema, name: string): FieldPatch {
  const { type, strategies, mergeKey } = lookup(schema, name);
  return { schema: itemsOf(schema, type), strategy: strategyOf(strategies), mergeKey };
}

function lookup(schema: PatchSchema, name: string): PatchField {
  if (schema.kind !== 'struct') {
    throw unclassified(`merging an object in json but data type is not struct, instead is: ${schema.kind}`);
  }
  const field = schema.field?.(name);
  if (field !== undefined) return field;
  throw unclassified(`unable to find api field in struct ${schema.name} for the json field ${quote(name)}`);
}

function itemsOf(parent: PatchSchema, type: PatchSchema): PatchSchema {
  if (type.kind !== 'slice' || type.items === undefined) {
    throw unclassified(`expected slice or array type, but got: ${parent.kind}`);
  }
  if (type.items.kind === 'slice') throw unclassified('unexpected slice of slice');
  return type.items;
}

function strategyOf(strategies: readonly string[]): string {
  const others = strategies.filter((strategy) => strategy !== 'retainKeys');
  if (others.length > 1) throw unclassified(`unexpected patch strategy: [${strategies.join(' ')}]`);
  return others[0] ?? '';
}
