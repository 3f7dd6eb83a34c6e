import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { deadLettersConformance } from '#lib/stream/dead-letters.conformance.ts';
import { localTable, TestClock } from '#test/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/dynamodb-local/start.ts';
import { dynamoDeadLetters } from './dead-letters.ts';
import { intercept } from './port.ts';

const local = await startDynamoDbLocal();
if ('missing' in local) console.warn(`DynamoDB dead letter tests skip: ${local.missing}`);

describe.skipIf('missing' in local)('dead letters in DynamoDB', () => {
  afterAll(async () => {
    if ('stop' in local) await local.stop();
  });
  const aTable = async () => localTable('endpoint' in local ? local.endpoint : '', `dead-${randomUUID()}`);

  deadLettersConformance(async () => dynamoDeadLetters(await aTable(), new TestClock()));

  test('a letter does not ring: its key is none of a log', async () => {
    const keys: (string | undefined)[] = [];
    const watched = intercept(await aTable(), (call, next) => {
      if (call.operation === 'put') keys.push(call.input.Item?.['pk']?.S);
      return next();
    });
    const letter = { lane: 'events', sequence: 'main//pods', version: 1, key: 'k', reason: 'r', at: 0 };
    await dynamoDeadLetters(watched, new TestClock()).put(letter);
    expect(keys).toEqual(['dead']);
  });

  test('a table that refuses is a StoreError', async () => {
    const broken = intercept(await aTable(), () =>
      Promise.reject(Object.assign(new Error('no'), { name: 'AccessDeniedException' })),
    );
    const letters = dynamoDeadLetters(broken, new TestClock());
    await expect(Array.fromAsync(letters.all())).rejects.toMatchObject({ name: 'StoreError', code: 'Unavailable' });
  });
});
