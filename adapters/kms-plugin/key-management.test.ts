import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pluginKeyManagement } from './key-management.ts';
import { field, fields } from './message.ts';

type Answer = {
  readonly message?: Uint8Array;
  readonly status?: string;
  readonly said?: string;
  readonly never?: true;
};

let folder: string;
let server: Http2Server;
let answer: (method: string, message: Buffer) => Answer;
const asked: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'davit-kms-'));
  asked.length = 0;
  server = await listening();
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function listening(): Promise<Http2Server> {
  const made = createServer();
  made.on('stream', (stream, { ':path': path = '' }) => void answered(stream, path));
  made.listen(join(folder, 'socket'));
  await once(made, 'listening');
  return made;
}

async function answered(stream: ServerHttp2Stream, path: string): Promise<void> {
  const sent = await buffer(stream);
  const method = path.split('/').at(-1) ?? '';
  asked.push(method);
  const { message, status = '0', said, never } = answer(method, sent.subarray(5));
  if (never === true) return;
  const told = { 'grpc-status': status, ...(said === undefined ? {} : { 'grpc-message': said }) };
  const type = { ':status': 200, 'content-type': 'application/grpc' };
  if (message === undefined) return stream.respond({ ...type, ...told }, { endStream: true });
  stream.respond(type, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(told));
  stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from([message.length]), message]));
}

const plugin = (timeout = 3000) =>
  pluginKeyManagement({ name: 'k', endpoint: `unix://${join(folder, 'socket')}`, timeout });
const entry = Buffer.concat([field(1, 'a.b'), field(2, 'salt')]);

test('a data key comes back from what was kept of it, annotations shown again', async () => {
  using kms = plugin();
  answer = (_, message) => ({
    message: Buffer.concat([
      field(1, Buffer.from(fields(message).get(1)?.[0] ?? '').reverse()),
      field(2, 'id'),
      field(3, entry),
    ]),
  });
  const { encrypted, keyId } = await kms.encrypt(Buffer.from('key'));
  expect(keyId).toBe('id');
  answer = (_, message) => {
    const read = fields(message);
    expect([read.get(3)?.join(), read.get(4)?.map((one) => one.toString('hex'))]).toEqual([
      'id',
      [entry.toString('hex')],
    ]);
    return { message: field(1, Buffer.from(read.get(1)?.[0] ?? '').reverse()) };
  };
  expect(Buffer.from(await kms.decrypt(encrypted, keyId)).toString()).toBe('key');
  expect(asked).toEqual(['Encrypt', 'Decrypt']);
});

test('a plugin that was started anew is asked again', async () => {
  using kms = plugin();
  answer = () => ({ message: Buffer.concat([field(1, 'v2'), field(2, 'ok'), field(3, 'one')]) });
  expect(await kms.keyId?.()).toBe('one');
  const sessions = once(server, 'close');
  server.close();
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  server.on('close', resolve);
  kms[Symbol.dispose]();
  await Promise.all([sessions, gone]);
  await expect(kms.keyId?.()).rejects.toThrow('ENOENT');
  server = await listening();
  expect(await kms.keyId?.()).toBe('one');
});

describe('what is no answer', () => {
  const status = (version: string, health: string, id: string): Answer => ({
    message: Buffer.concat([field(1, version), field(2, health), field(3, id)]),
  });
  test.each<[string, Answer, string]>([
    ['a refusal', { status: '2', said: 'no%20k%C3%A9y' }, 'failed at Status: rpc error: code = 2 desc = no kéy'],
    ['nothing', {}, 'the answer is not one message'],
    ['half a message', { message: Buffer.from([0x0a, 9]) }, 'unexpected EOF'],
    ['another version', status('v1', 'ok', 'i'), 'the KMS plugin "k" answered the version "v1"'],
    ['sickness', status('v2', 'sealed', 'i'), 'answered the health "sealed"'],
    ['no key', status('v2', 'ok', ''), 'answered no key id'],
  ])('%s', async (_, given, why) => {
    using kms = plugin();
    answer = () => given;
    await expect(kms.keyId?.()).rejects.toMatchObject({ code: 'Refused', message: expect.stringContaining(why) });
  });

  test('none in time', async () => {
    using kms = plugin(50);
    answer = () => ({ never: true });
    await expect(kms.decrypt(Buffer.from(''), 'i')).rejects.toThrow(
      'the KMS plugin "k" failed at Decrypt: no answer in time',
    );
  });
});
