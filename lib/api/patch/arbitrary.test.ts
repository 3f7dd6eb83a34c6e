import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueOrRefusal } from '#lib/machinery/faults.conformance.ts';
import { isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { applyPatch } from './apply/apply-patch.ts';
import { typedSchemaOf } from './apply/openapi-schema.conformance.ts';
import { recordUpdate } from './apply/record-update.ts';
import { definitions, thing } from './apply/thing.conformance.ts';
import { applyJsonPatch, decodeJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { patchSchema } from './strategic/kind-schema.ts';
import { strategicMergePatch } from './strategic/patch.ts';

const NAMES = ['a', 'b', 'k', 'map', 'set', '__proto__', 'constructor', '', '0', '-', 'x/y', '~'];
const FIELDS = [
  'metadata',
  'labels',
  'finalizers',
  'num',
  'struct',
  'granular',
  'atomic',
  'two',
  'maps',
  'free',
  'any',
];
const DIRECTIVES = ['$patch', '$retainKeys', '$setElementOrder/containers', '$deleteFromPrimitiveList/finalizers'];
const POD = ['spec', 'containers', 'name', 'ports', 'containerPort', 'protocol', 'volumes', 'emptyDir'];

/** JSON whose fields and values are mostly meaningful to patches and schemas. */
const value: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<Json[]>(null, true, 1, 'a', 'delete', 'replace', 'merge', '', '1'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...NAMES, ...FIELDS, ...DIRECTIVES, ...POD), tie('any')), { maxLength: 4 })
      .map((entries) => Object.fromEntries<Json>(entries)),
  ),
})).any;
const object = value.filter(isObject);

const operation = fc.record(
  {
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'nope'),
    path: fc
      .array(fc.constantFrom(...NAMES, ...FIELDS), { maxLength: 3 })
      .map((parts) => parts.map((p) => `/${p}`).join('')),
    from: fc
      .array(fc.constantFrom(...NAMES, ...FIELDS), { maxLength: 3 })
      .map((parts) => parts.map((p) => `/${p}`).join('')),
    value,
  },
  { requiredKeys: ['op', 'path'] },
) as fc.Arbitrary<JsonObject>;

const schema = typedSchemaOf(thing, (name) => ({ openAPI: objectAt(definitions, name) ?? {} }));
const identified = (given: JsonObject): JsonObject => ({
  ...given,
  apiVersion: 't/v1',
  kind: 'T',
  metadata: { name: 'n' },
});
const write = { schema, apiVersion: 't/v1', manager: 'm', now: new Date(0), isCreate: false };

/** A thing with fields of any content. */
const free = fc.record(
  { any: value, free: value, granular: value, map: value },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const POD_SCHEMA = patchSchema({ group: '', version: 'v1', kind: 'Pod' }) ?? { name: 'Pod', kind: 'struct' as const };

const PATCHES: readonly (readonly [string, fc.Arbitrary<Json>, (document: JsonObject, patch: Json) => Json])[] = [
  ['JSON patches', fc.array(operation, { maxLength: 4 }), (doc, patch) => applyJsonPatch(doc, decodeJsonPatch(patch))],
  ['JSON patches of any shape', value, (doc, patch) => applyJsonPatch(doc, decodeJsonPatch(patch))],
  ['merge patches', value, applyMergePatch],
  ['strategic merge patches', object, (doc, patch) => strategicMergePatch(doc, patch as JsonObject, POD_SCHEMA)],
  [
    'applies',
    fc.oneof(free, object),
    (doc, patch) =>
      applyPatch({ ...write, live: identified(doc), applied: identified(patch as JsonObject), force: true }),
  ],
  [
    'updates',
    object,
    (doc, patch) => recordUpdate({ ...write, live: identified(doc), updated: identified(patch as JsonObject) }),
  ],
];

describe('any patch', () => {
  test.each(PATCHES)('%s yield a document or an error, and do not change their inputs', (_, patch, apply) => {
    let applied = 0;
    fc.assert(
      fc.property(object, patch, (document, given) => {
        const before = JSON.stringify([document, given]);
        const after = valueOrRefusal(() => apply(document, given));
        if (after !== undefined) applied += 1;
        expect(JSON.stringify([document, given])).toBe(before);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
    expect(applied).toBeGreaterThan(10);
  });
});
