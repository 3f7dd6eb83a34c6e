import { describe, expect, test } from 'vitest';
import { Connection } from '#bench/connection.ts';
import { seed } from '#bench/seed.ts';
import { residentMemory, ServerProcess } from '#bench/server.ts';
import { decodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { eventually } from '#test/support/eventually.ts';

const COLLECTION = '/api/v1/namespaces/default/configmaps';
const COUNT = 6_000;
const MIB = 1024 * 1024;

describe(`${COUNT} objects of 20 KB, more than the heap may hold`, () => {
  test('are listed and watched in a fraction of the memory that they take', async () => {
    await using server = new ServerProcess(['--max-semi-space-size=8', '--max-old-space-size=96']);
    await seed(server.directory, COUNT, 20_000);
    await server.start();
    const api = new Connection(server.access);
    const list = await listed(api, 'application/json');
    expect(list.status).toBe(200);
    expect(list.body.length).toBeGreaterThan(110 * MIB);
    const { items } = JSON.parse(list.body.toString()) as { items: { metadata: { name: string } }[] };
    expect(new Set(items.map(({ metadata }) => metadata.name).filter(isSeeded)).size).toBe(COUNT);

    const message = await listed(api, 'application/vnd.kubernetes.protobuf');
    expect(decodeUnknown(message.body)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMapList' });
    expect(decodeUnknown(message.body).raw.length).toBeGreaterThan(110 * MIB);

    const seen = new Set<string>();
    const name = (line: string): string => /"name":"([^"]+)"/.exec(line)?.[1] ?? '';
    await api.watch(`${COLLECTION}?watch=true`, (line) => isSeeded(name(line)) && seen.add(name(line)));
    await eventually(() => expect(seen.size).toBe(COUNT));
    api.close();

    const most = residentMemory(server.pid, 'VmHWM');
    if (Number.isNaN(most)) console.log('memory: not checked, this system does not tell');
    else expect(most).toBeLessThan(280);
  });
});

const isSeeded = (name: string): boolean => name.startsWith('object-');

async function listed(api: Connection, accept: string): Promise<{ status: number; body: Buffer }> {
  const chunks: Buffer[] = [];
  const status = await api.drain(COLLECTION, (chunk) => chunks.push(chunk), accept);
  return { status, body: Buffer.concat(chunks) };
}
