import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type handleUnaryCall, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pluginKeyManagement } from './key-management.ts';
import { field, fields } from './message.ts';

type Answer = {
  readonly message?: Buffer;
  readonly said?: string;
  readonly never?: true;
};

let folder: string;
let server: Server;
let answer: (method: string, message: Buffer) => Answer;
const asked: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'davit-kms-'));
  asked.length = 0;
  server = await listening();
});
afterEach(() => {
  server.forceShutdown();
  rmSync(folder, { recursive: true });
});

async function listening(): Promise<Server> {
  const made = new Server();
  const [encrypt, decrypt, told] = ['Encrypt', 'Decrypt', 'Status'].map(unary);
  made.addService({ encrypt, decrypt, told } as never, {
    encrypt: answering('Encrypt'),
    decrypt: answering('Decrypt'),
    told: answering('Status'),
  });
  await promisify(made.bindAsync.bind(made))(`unix:${join(folder, 'socket')}`, ServerCredentials.createInsecure());
  return made;
}

const asIs = (message: Buffer): Buffer => message;

const unary = (method: string) => ({
  path: `/v2.KeyManagementService/${method}`,
  requestStream: false,
  responseStream: false,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
});

const answering =
  (method: string): handleUnaryCall<Buffer, Buffer> =>
  ({ request }, done) => {
    asked.push(method);
    const { message = Buffer.alloc(0), said, never } = answer(method, request);
    if (said !== undefined) done({ code: status.INVALID_ARGUMENT, details: said });
    else if (never !== true) done(null, message);
  };

const plugin = (timeout = 3000) =>
  pluginKeyManagement({ name: 'k', endpoint: `unix://${join(folder, 'socket')}`, timeout });
const entry = Buffer.concat([field(1, 'a.b'), field(2, 'salt')]);

test('decrypts an encrypted data key with its annotations', async () => {
  await using kms = plugin();
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

test('calls a restarted plugin again', async () => {
  await using kms = plugin();
  answer = () => ({ message: Buffer.concat([field(1, 'v2'), field(2, 'ok'), field(3, 'one')]) });
  expect(await kms.keyId?.()).toBe('one');
  server.forceShutdown();
  const id = kms.keyId?.();
  server = await listening();
  expect(await id).toBe('one');
});

describe('a faulty KMS plugin', () => {
  const statusAnswer = (version: string, health: string, id: string): Answer => ({
    message: Buffer.concat([field(1, version), field(2, health), field(3, id)]),
  });
  test.each<[string, Answer, string]>([
    ['a refusal', { said: 'no kéy' }, 'failed at Status: rpc error: code = InvalidArgument desc = no kéy'],
    ['an empty answer', {}, 'answered the version ""'],
    ['an answer that is too long', { message: Buffer.alloc(2 ** 21) }, 'code = ResourceExhausted'],
    ['half a message', { message: Buffer.from([0x0a, 9]) }, 'unexpected EOF'],
    ['another version', statusAnswer('v1', 'ok', 'i'), 'the KMS plugin "k" answered the version "v1"'],
    ['an unhealthy plugin', statusAnswer('v2', 'sealed', 'i'), 'answered the health "sealed"'],
    ['no key', statusAnswer('v2', 'ok', ''), 'answered no key id'],
  ])('is reported for %s', async (_, given, why) => {
    await using kms = plugin();
    answer = () => given;
    await expect(kms.keyId?.()).rejects.toMatchObject({ code: 'Refused', message: expect.stringContaining(why) });
  });

  test('is reported without a listener', async () => {
    await using kms = pluginKeyManagement({ name: 'k', endpoint: `unix://${join(folder, 'other')}`, timeout: 100 });
    await expect(kms.keyId?.()).rejects.toThrow('code = DeadlineExceeded');
  });

  test('is reported without a response in time', async () => {
    await using kms = plugin(50);
    answer = () => ({ never: true });
    await expect(kms.decrypt(Buffer.from(''), 'i')).rejects.toThrow(
      'the KMS plugin "k" failed at Decrypt: rpc error: code = DeadlineExceeded',
    );
  });
});
