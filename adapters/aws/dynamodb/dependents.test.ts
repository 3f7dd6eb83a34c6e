import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { dependentsConformance } from '#lib/storage/dependents.conformance.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { aProposal, localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { enter } from './index-entries.ts';
import { dependentsOf } from './layout.ts';
import { intercept, type Table } from './port.ts';
import { dynamoStore } from './store.ts';

describeOn(await startDynamoDbLocal(), 'dependents in DynamoDB', (endpoint) => {
  const clock = new TestClock();
  const aTable = async () => localTable(endpoint, `dependents-${randomUUID()}`);

  dependentsConformance(async () => dynamoStore(await aTable(), { clock }));

  const owned = aProposal('a', { ownerReferences: [{ uid: 'u', controller: true }] });
  async function written(table: Table) {
    const store = dynamoStore(table, { clock });
    const log = store.sequence('main//things');
    await log.append(await log.head(), [owned], { nonce: 'n' });
    return { store, log };
  }

  test('an interrupted fold leaves no state without its index entry, and the next fold completes it', async () => {
    const table = await aTable();
    let left = Number.POSITIVE_INFINITY;
    const dying = intercept(table, (_call, next) => (left-- > 0 ? next() : Promise.reject(new Error('killed'))));
    const { log } = await written(dying);
    const reader = dynamoStore(table, { clock });
    let folded = false;
    for (let calls = 0; !folded; calls += 1) {
      left = calls;
      folded = await log.compact().then(
        () => true,
        () => false,
      );
      const { item } = await reader.sequence('main//things').read(owned.key);
      if (item !== undefined) expect(await reader.dependents('main', 'u')).toEqual([owned.key]);
    }
    expect(await reader.dependents('main', 'u')).toEqual([owned.key]);
  });

  test('a late entry or removal undoes no newer one', async () => {
    const table = await aTable();
    const { store, log } = await written(table);
    await log.compact();
    const place = { place: dependentsOf('main', 'u'), key: owned.key };
    await enter(table, place, { version: 1, ends: clock });
    expect(await store.dependents('main', 'u')).toEqual([owned.key]);
    await enter(table, place, { version: 9, ends: clock });
    await enter(table, place, { version: 8 });
    expect(await store.dependents('main', 'u')).toEqual([]);
  });
});
