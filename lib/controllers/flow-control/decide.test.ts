import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { FlowSchema } from '#lib/api/types/flowcontrol.v1.ts';
import { FLOW_SCHEMAS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { AUTO_UPDATE, BOOTSTRAP_SCHEMAS, type BootstrapObject } from '#lib/server/flowcontrol/bootstrap/default.ts';
import { conditionsOf, revised } from './decide.ts';

const suggested: BootstrapObject = { name: 'x', spec: { matchingPrecedence: 2 }, mandatory: false };
const mandatory: BootstrapObject = { ...suggested, mandatory: true };

function stored(annotation: string | undefined, precedence: number, generation = 2): JsonObject {
  const annotations: JsonObject = annotation === undefined ? {} : { [AUTO_UPDATE]: annotation };
  return { metadata: { name: 'x', generation, annotations }, spec: { matchingPrecedence: precedence } };
}

/** Upstream's ensurer: the precedence and the annotation of the written object. Undefined if no write is needed. */
describe('the revision of an object by the ensurer', () => {
  test.each<[string, BootstrapObject, JsonObject, [number, string] | undefined]>([
    ['is up to date', suggested, stored('true', 2), undefined],
    ['was changed', suggested, stored('true', 3), [2, 'true']],
    ['was changed, and is annotated with another form of true', suggested, stored('T', 3), [2, 'true']],
    ['was taken over by an operator', suggested, stored('false', 3), undefined],
    ['is mandatory and was taken over', mandatory, stored('false', 3), [2, 'true']],
    ['is mandatory, and was taken over but not changed', mandatory, stored('false', 2), [2, 'true']],
    ['has no annotation and was never changed', suggested, stored(undefined, 3, 1), [2, 'true']],
    ['has no annotation and was changed', suggested, stored(undefined, 3), [3, 'false']],
    ['has an invalid annotation', suggested, stored('perhaps', 3), [3, 'false']],
  ])('revises an object that %s', (_, wanted, current, left) => {
    const object = revised(current, wanted);
    expect(object).toEqual(
      left === undefined ? undefined : { ...stored(left[1], left[0]), metadata: metadata(current, left[1]) },
    );
  });

  const metadata = (current: JsonObject, annotation: string): JsonObject => ({
    ...(current['metadata'] as JsonObject),
    annotations: { [AUTO_UPDATE]: annotation },
  });
});

describe('the condition Dangling', () => {
  const aSchema = (conditions: JsonObject[]): FlowSchema =>
    decodedAs(FLOW_SCHEMAS, { spec: { priorityLevelConfiguration: { name: 'low' } }, status: { conditions } });
  const other = { type: 'Other', status: 'True', lastTransitionTime: null };
  const found = {
    type: 'Dangling',
    status: 'False',
    reason: 'Found',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "low" and it exists',
    lastTransitionTime: '1970-01-01T00:00:00Z',
  };
  const missing = {
    ...found,
    status: 'True',
    reason: 'NotFound',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "low" but there is no such object',
  };

  test.each<[string, JsonObject[], boolean, JsonObject[] | undefined]>([
    ['is missing', [], true, [found]],
    ['is missing beside others', [other], false, [other, missing]],
    ['is right, without a write', [found], true, undefined],
    ['is wrong', [found, other], false, [other, missing]],
  ])('is written if it %s', (_, conditions, exists, expected) => {
    expect(conditionsOf(aSchema(conditions), exists, 0)).toEqual(expected);
  });
});

test('lists bootstrap schemas by precedence, with unique names', () => {
  const order = BOOTSTRAP_SCHEMAS.map(({ spec }) => spec.matchingPrecedence);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(new Set(BOOTSTRAP_SCHEMAS.map(({ name }) => name)).size).toBe(BOOTSTRAP_SCHEMAS.length);
});
