import { expect, test } from 'vitest';
import { conflictingItem, faultOf, type Fault } from './faults.ts';
import { answerOf, bodyOf, errorOf } from './wire.ts';

const bytes = Uint8Array.of(0, 1, 254, 255);
const B = 'AAH+/w==';

test('bytes go in base64 wherever items go, all else as it is', () => {
  const within = Buffer.concat([Buffer.from('before'), bytes]).subarray(6);
  const input = {
    TableName: 'davit',
    Item: { pk: { S: 'é"' }, n: { N: '1' }, d: { BOOL: true }, b: { B: bytes } },
    Key: { pk: { S: 'x' } },
    ExclusiveStartKey: undefined,
    ExpressionAttributeValues: { ':b': { B: within } },
    ExpressionAttributeNames: { '#b': 'b' },
    Limit: 3,
  };
  expect(JSON.parse(bodyOf(input))).toEqual({
    ...input,
    ExclusiveStartKey: undefined,
    Item: { ...input.Item, b: { B } },
    ExpressionAttributeValues: { ':b': { B } },
  });
});

test.each(['Item', 'Attributes', 'LastEvaluatedKey'] as const)('bytes in %s of an answer are bytes', (name) => {
  const answer = answerOf(JSON.stringify({ [name]: { pk: { S: 'x' }, b: { B }, none: { B: '' } }, Count: 1 }));
  expect(answer[name]?.['pk']).toEqual({ S: 'x' });
  expect(Buffer.compare(answer[name]?.['b']?.B ?? new Uint8Array(), bytes)).toBe(0);
  expect(answer[name]?.['none']?.B?.length).toBe(0);
});

test('each item of a query has its bytes, and what was billed is told', () => {
  const { Items, ConsumedCapacity } = answerOf(
    `{"Items":[{"b":{"B":"${B}"}},{}],"ConsumedCapacity":{"CapacityUnits":0.5}}`,
  );
  expect(Items?.map((item) => item['b']?.B?.length)).toEqual([4, undefined]);
  expect(ConsumedCapacity?.CapacityUnits).toBe(0.5);
});

test.each<[number, string, string, string, Fault]>([
  [
    400,
    '{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"no"}',
    'ConditionalCheckFailedException',
    'no',
    'condition',
  ],
  [
    400,
    '{"__type":"com.amazon.coral.service#ThrottlingException","Message":"slow"}',
    'ThrottlingException',
    'slow',
    'throttled',
  ],
  [500, '{"__type":"InternalServerError"}', 'InternalServerError', 'InternalServerError', 'ambiguous'],
  [503, '<html>', 'HTTP status 503', 'HTTP status 503', 'ambiguous'],
  [502, '', 'HTTP status 502', 'HTTP status 502', 'ambiguous'],
  [400, 'null', 'HTTP status 400', 'HTTP status 400', 'ambiguous'],
])('%i %s is %s', (status, text, name, message, fault) => {
  const error = errorOf(status, text);
  expect(error).toMatchObject({ name, message });
  expect(faultOf(error)).toBe(fault);
});

test('what failed a condition is shown with its bytes', () => {
  const item = conflictingItem(
    errorOf(400, `{"__type":"x#ConditionalCheckFailedException","Item":{"b":{"B":"${B}"}}}`),
  );
  expect(Buffer.compare(item?.['b']?.B ?? new Uint8Array(), bytes)).toBe(0);
});
