import { invalid } from '#lib/machinery/errors.ts';
import { arrayAt, isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import * as field from '#lib/machinery/validation/field.ts';
import { DEDUCED, type Field, type TypedSchema, UNTYPED_ATOMIC } from '../apply/schema.ts';
import type { ReplayKind } from './replay.conformance.ts';

const text: TypedSchema = { scalar: 'string' };
const number: TypedSchema = { scalar: 'numeric' };
const fields = (types: Record<string, TypedSchema>): ReadonlyMap<string, Field> =>
  new Map(Object.entries(types).map(([name, type]) => [name, { type }]));
const struct = (types: Record<string, TypedSchema>): TypedSchema => ({ map: { atomic: false, fields: fields(types) } });
const mapOf = (values: TypedSchema): TypedSchema => ({ map: { atomic: false, fields: new Map(), values } });
const list = (items: TypedSchema, relationship: 'atomic' | 'associative', ...keys: string[]): TypedSchema => ({
  list: { items, relationship, keys },
});

const two: TypedSchema = {
  map: {
    atomic: false,
    fields: new Map<string, Field>([
      ['a', { type: text }],
      ['b', { type: number, default: 7 }],
      ['v', { type: text }],
    ]),
  },
};

const spec = struct({
  set: list(text, 'associative'),
  atomic: list(text, 'atomic'),
  plain: list(number, 'atomic'),
  map: list(struct({ k: text, v: number, sub: mapOf(text) }), 'associative', 'k'),
  two: list(two, 'associative', 'a', 'b'),
  granular: mapOf(text),
  atom: { map: { atomic: true, fields: fields({ x: text, y: text }) } },
  ios: UNTYPED_ATOMIC,
  nul: text,
  free: { map: { atomic: false, fields: new Map(), values: DEDUCED } },
  def: number,
});

const metadata = struct({
  name: text,
  namespace: text,
  uid: text,
  creationTimestamp: text,
  resourceVersion: text,
  generation: number,
  labels: mapOf(text),
  annotations: mapOf(text),
  managedFields: list(UNTYPED_ATOMIC, 'atomic'),
});

/** The custom kind of the recorded sequences: every type of list and map. */
export const mix: ReplayKind = {
  apiVersion: 'patch.example.com/v1',
  hasGeneration: true,
  schema: struct({ apiVersion: text, kind: text, metadata, spec, status: struct({ phase: text }) }),
  decode(object: JsonObject): void {
    dropEmptyMetadata(object);
    const desired = objectAt(object, 'spec');
    if (desired === undefined) return;
    if (desired['def'] === undefined || desired['def'] === null) desired['def'] = 3;
    for (const item of arrayAt(desired, 'two')) if (isObject(item) && item['b'] === undefined) item['b'] = 7;
  },
  refuseUpdate: (name) =>
    invalid({ group: 'patch.example.com', kind: 'mixes' }, name, [
      field.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]),
};

/** Metadata round-trips through Go's struct, which omits empty maps. */
export function dropEmptyMetadata(object: JsonObject): void {
  const held = objectAt(object, 'metadata');
  for (const name of ['labels', 'annotations']) {
    const map = objectAt(held, name);
    if (held !== undefined && (map === undefined || Object.keys(map).length === 0)) delete held[name];
  }
}
