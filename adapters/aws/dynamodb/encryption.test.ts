import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import { encryptionOf } from '#lib/storage/encryption/transformers.ts';
import { aBody, aProposal, localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { needing } from '#test/support/skip.ts';
import type { Table } from './port.ts';
import { dynamoStore } from './store.ts';

const local = await startDynamoDbLocal();

const CONFIGURATION = `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: ['*.*'], providers: [aesgcm: {keys: [{name: k, secret: ${Buffer.alloc(32, 7).toString('base64')}}]}]}]}`;

/** Wraps the table and records every item that is put into it. */
function recording(table: Table, kept: string[]): Table {
  const put: Table['put'] = (input, ...rest) => {
    for (const value of Object.values(input.Item ?? {}))
      kept.push(Buffer.from(value.B ?? value.S ?? '').toString('latin1'));
    return table.put(input, ...rest);
  };
  return new Proxy(table, { get: (target, name, self) => (name === 'put' ? put : Reflect.get(target, name, self)) });
}

test('stores no body in plain text in the log, the chunks or the state', needing(local), async () => {
  if (!('endpoint' in local)) return;
  const kept: string[] = [];
  const table = await localTable(local.endpoint, 'encryption');
  const store = new EncryptedStore(
    dynamoStore(recording(table, kept), { clock: new TestClock() }),
    encryptionOf(CONFIGURATION, () => {
      throw new TypeError('no KMS');
    }),
  );
  const log = store.sequence(`main/${randomUUID()}`);
  let large = '';
  while (large.length < 900_000) large += randomUUID();
  await log.append(
    1,
    [aProposal('small', { body: aBody('in the clear') }), aProposal('large', { body: aBody(large) })],
    {
      nonce: 'n',
    },
  );
  await log.compact();
  const { changes } = await log.readLog(1, { limit: 9, consistent: true });
  expect(changes.map(({ body }) => Buffer.from(body).includes('in the clear') || body.length > 900_000)).toEqual([
    true,
    true,
  ]);
  expect(kept.length).toBeGreaterThan(4);
  expect(kept.join('\n')).not.toContain('in the clear');
  expect(kept.join('\n')).not.toContain(large.slice(0, 36));
  table.close();
  await local.stop();
});
