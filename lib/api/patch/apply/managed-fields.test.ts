import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.ts';

const step = fc.constantFrom(
  'f:a',
  'f:__proto__',
  'f:',
  'k:{"n":1}',
  'k:{}',
  'k:{',
  'v:"s"',
  'v:',
  'i:3',
  'i:a',
  '.',
  'x:',
);
const { set } = fc.letrec<{ set: Json }>((tie) => ({
  set: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json[]>({}, {}, {}, {}, null, 'a', []),
    fc.dictionary(step, tie('set'), { maxKeys: 2 }),
  ),
}));
const entry = fc.record(
  {
    manager: fc.constantFrom('', 'kubectl', 'a"b'),
    operation: fc.constantFrom('Apply', 'Update', 'Update', 'Patch'),
    apiVersion: fc.constantFrom('v1', 'apps/v1', 'apps/v1', ''),
    time: fc.constantFrom('2026-01-02T03:04:05Z', 'yesterday'),
    fieldsType: fc.constantFrom('FieldsV1', 'FieldsV1', 'FieldsV1', 'FieldsV2'),
    fieldsV1: set,
    subresource: fc.constantFrom('', 'status'),
    other: fc.constant(1),
  },
  { requiredKeys: ['operation', 'apiVersion', 'fieldsType'] },
) as fc.Arbitrary<JsonObject>;

test('rejects any managedFields with a reason, or encodes them as they were decoded', () => {
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: entry }, { weight: 1, arbitrary: set }), { maxLength: 3 }),
      (given) => {
        const decoded = decodeManagedFields(given);
        if ('reason' in decoded) {
          expect(decoded.reason).not.toBe('');
          return;
        }
        const written = encodeManagedFields(decoded.managers);
        const again = decodeManagedFields(written);
        expect('managers' in again && encodeManagedFields(again.managers)).toEqual(written);
        if (written.length > 0) read += 1;
      },
    ),
    { numRuns: 1000 },
  );
  expect(read).toBeGreaterThan(50);
});
