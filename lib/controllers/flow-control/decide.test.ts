import { describe, expect, test } from 'vitest';
import { AUTO_UPDATE, BOOTSTRAP_SCHEMAS, type BootstrapObject } from '#lib/flowcontrol/bootstrap/default.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { conditionsOf, revised } from './decide.ts';

const suggested: BootstrapObject = { name: 'x', spec: { matchingPrecedence: 2 }, mandatory: false };
const mandatory: BootstrapObject = { ...suggested, mandatory: true };

function stored(annotation: string | undefined, precedence: number, generation = 2): JsonObject {
  const annotations: JsonObject = annotation === undefined ? {} : { [AUTO_UPDATE]: annotation };
  return { metadata: { name: 'x', generation, annotations }, spec: { matchingPrecedence: precedence } };
}

/** Upstream's ensurer: which spec and which annotation an object is left with; none where it is left alone. */
describe('what the server keeps', () => {
  test.each<[string, BootstrapObject, JsonObject, [number, string] | undefined]>([
    ['is right', suggested, stored('true', 2), undefined],
    ['was changed', suggested, stored('true', 3), [2, 'true']],
    ["was changed, and annotated in Go's other words", suggested, stored('T', 3), [2, 'true']],
    ['was taken over', suggested, stored('false', 3), undefined],
    ['was taken over, which does not count', mandatory, stored('false', 3), [2, 'true']],
    ['was taken over and not changed, which does not count', mandatory, stored('false', 2), [2, 'true']],
    ['has no annotation and was never changed', suggested, stored(undefined, 3, 1), [2, 'true']],
    ['has no annotation and was changed', suggested, stored(undefined, 3), [3, 'false']],
    ['has an annotation that says nothing', suggested, stored('perhaps', 3), [3, 'false']],
  ])('%s', (_, wanted, current, left) => {
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
  const schema: JsonObject = { spec: { priorityLevelConfiguration: { name: 'low' } } };
  const other = { type: 'Other', status: 'True' };
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

  test.each([
    ['is not there yet', [], true, [found]],
    ['stands beside others', [other], false, [other, missing]],
    ['is so', [found], true, undefined],
    ['is so no more', [found, other], false, [other, missing]],
  ])('%s', (_, conditions, exists, expected) => {
    expect(conditionsOf({ ...schema, status: { conditions } }, exists, 0)).toEqual(expected);
  });
});

test('the order of precedence is that of the table, and names are one each', () => {
  const order = BOOTSTRAP_SCHEMAS.map(({ spec }) => Number(spec['matchingPrecedence']));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(new Set(BOOTSTRAP_SCHEMAS.map(({ name }) => name)).size).toBe(BOOTSTRAP_SCHEMAS.length);
});
