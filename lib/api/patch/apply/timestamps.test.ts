import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { applyPatch } from './apply-patch.ts';
import { recordUpdate } from './record-update.ts';
import { DEDUCED } from './schema.ts';
import { keepTimestamps } from './timestamps.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const by = { schema: DEDUCED, apiVersion: 'x.io/v1', manager: 'm' };
const applied = { apiVersion: 'x.io/v1', kind: 'X', metadata: {}, spec: { n: 1 } };
const live = applyPatch({ ...by, live: {}, applied, force: false, now: at(0), isCreate: true });
const retimed = JSON.parse(JSON.stringify(live).replace('00:00:00Z', '00:00:09Z')) as JsonObject;

const updated = (object: JsonObject): JsonObject =>
  recordUpdate({ ...by, manager: 'u', live, updated: object, now: at(9), isCreate: false });

describe('times of managedFields', () => {
  test('are kept by a write without effect', () => {
    expect(retimed).not.toEqual(live);
    expect(keepTimestamps(live, retimed)).toEqual(live);
  });

  test.each<[string, JsonObject]>([
    ['another value', { ...retimed, spec: { n: 2 } }],
    ['another manager', updated({ ...live, spec: { n: 2 } })],
    ['no managers', { ...live, metadata: {} }],
  ])('are changed by %s', (_, next) => {
    expect(keepTimestamps(live, next)).toEqual(next);
  });
});
