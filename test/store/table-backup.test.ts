import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { secretsUnder } from '#lib/storage/encryption/secrets.ts';
import { exportTo, importFrom, restore } from '#local/commands/backup.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';

const MAPS = 'main//configmaps';
/** The body of an object before the store encrypts it. */
const object = (kind: string): Uint8Array => {
  const metadata = { resourceVersion: '0', name: 'a', namespace: 'default', uid: '7' };
  return Buffer.from(JSON.stringify({ apiVersion: 'v1', kind, metadata }));
};
/** A key that only the writer has. */
const kms: KeyManagement = {
  encrypt: async (plain) => ({ encrypted: plain, keyId: 'key' }),
  decrypt: async (encrypted) => encrypted,
};

describeOn(await startDynamoDbLocal(), 'the commands on a table', (endpoint) => {
  /** A separate table, which the SDK's usual environment points to. */
  async function aTable(): Promise<string> {
    const name = randomUUID();
    await localTable(endpoint, name);
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
    return name;
  }
  const sequenceIn = async (table: string, name: string) =>
    new EncryptedStore(dynamoStore(await connected(table), { clock }), secretsUnder(kms, clock)).sequence(name);

  async function write(table: string, name: string, body: Uint8Array): Promise<void> {
    const sequence = await sequenceIn(table, name);
    const summary = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };
    const change = { ...summary, key: `${name}/default/a`, type: 'ADDED' as const, body };
    expect(await sequence.append(await sequence.head(), [change], { nonce: randomUUID() })).toMatchObject({ ok: true });
  }

  test('exports a table and imports it into another, in a later epoch; Secrets only on demand', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'davit-table-'));
    const file = join(folder, 'export.jsonl');
    const [one, two] = [await aTable(), await aTable()];
    await write(one, MAPS, object('ConfigMap'));
    await write(one, 'main//secrets', object('Secret'));
    const flags = { dataDir: folder, clusterId: 'test' };
    await exportTo(file, { ...flags, table: one }, false);
    expect(await readFile(file, 'utf8')).not.toContain('Secret"');
    expect(await importFrom(file, { ...flags, table: two })).toMatchObject({ objects: 1 });
    const [before, after] = [await sequenceIn(one, MAPS), await sequenceIn(two, MAPS)];
    expect((await after.read(`${MAPS}/default/a`)).item?.body).toEqual(expect.any(Uint8Array));
    expect(await after.head()).toBeGreaterThan((await before.head()) + 2 ** 39);

    const head = await after.head();
    expect(await restore({ ...flags, table: two })).toBeGreaterThan(0);
    expect(await (await sequenceIn(two, MAPS)).head()).toBeGreaterThan(head + 2 ** 39);
    await rm(folder, { recursive: true });
  });
});

async function connected(name: string) {
  const { connectTable, dynamoClient } = await import('#adapters/aws/dynamodb/connect.ts');
  return connectTable(dynamoClient({ timeout: 60_000 }), name);
}
