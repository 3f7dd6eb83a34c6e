import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  InfoRequest,
  PluginInfo,
  RegistrationDefinition,
} from '#lib/node/kubelet-api/generated/pluginregistration-v1.ts';
import { replaceSlashes } from './authority.ts';
import { type SocketServer, serveSocket, service } from './server.ts';

let folder: string;
let path: string;
let server: SocketServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'davit-shim-'));
  path = join(folder, 'p.sock');
  server = await serveSocket(path, [
    service(RegistrationDefinition, {
      getInfo: async () => ({ type: 'DevicePlugin', name: 'example.com/gpu' }),
      notifyRegistrationStatus: async () => ({}),
    }),
  ]);
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Values of `:authority` that grpc-go writes for /tmp/gc/cap/plugin.sock, with their length, in HPACK's Huffman code. */
const RECORDED = {
  'grpc-go 1.27 to 1.56, a bare path and a dialer': '916134d6c4c46083ad8ae8b66354ba0e4ebf',
  'grpc-go 1.27, unix:///path': '96b6a379b8c30c269ad8988c1075b15d16cc6a9741c9d7',
  'grpc-go 1.27, unix:/path': '95b6a379b8c269ad8988c1075b15d16cc6a9741c9d7f',
  'grpc-go 1.40 and later, unix:/path': '86a0e41d139d09',
  'grpc-go 1.85, a bare path and a dialer': '975458534d6a8b0cc45458483ad5161ae8b66354ba0e4ebf',
  'a path that is not Huffman coded': `18${Buffer.from('/var/lib/kubelet/p/1.sock').subarray(0, 24).toString('hex')}`,
};

const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
};

const plain = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);

/** The fields of a call that grpc-go writes: method and scheme by index, the path, the authority, content-type and te. */
const block = (authority: string): Buffer =>
  Buffer.concat([
    Buffer.from([0x83, 0x86, 0x45]),
    plain('/pluginregistration.Registration/GetInfo'),
    Buffer.from(`41${authority}`, 'hex'),
    Buffer.from([0x5f]),
    plain('application/grpc'),
    Buffer.from([0x40]),
    plain('te'),
    plain('trailers'),
  ]);

/** The same fields again, as indices into the dynamic table. */
const AGAIN = Buffer.from([0x83, 0x86, 0xc1, 0xc0, 0xbf, 0xbe]);

const request = Buffer.concat([Buffer.alloc(5), InfoRequest.encode(InfoRequest.fromPartial({})).finish()]);

const call = (stream: number, headers: Buffer): Buffer =>
  Buffer.concat([frame(1, 4, stream, headers), frame(0, 1, stream, request)]);

const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, Buffer.alloc(0))]);

/** Sends pieces one by one and reads until this many answers have arrived. Rejects when the peer closes or resets. */
async function answers(pieces: readonly Buffer[], count: number): Promise<readonly PluginInfo[]> {
  const socket = connect(path);
  await once(socket, 'connect');
  for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
  const found: PluginInfo[] = [];
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const end = 9 + bytes.readUIntBE(0, 3);
      if (bytes[3] === 3) throw new Error(`stream reset: ${bytes.readUInt32BE(9)}`);
      if (bytes[3] === 0 && end > 14) found.push(PluginInfo.decode(bytes.subarray(14, end)));
      bytes = bytes.subarray(end);
    }
    if (found.length === count) return found;
  }
  throw new Error('closed');
}

const INFO = { type: 'DevicePlugin', name: 'example.com/gpu', endpoint: '', supportedVersions: [] };

test.each(Object.entries(RECORDED))('serves a client with the authority of %s', async (_, authority) => {
  expect(await answers([preface, call(1, block(authority)), call(3, AGAIN)], 2)).toEqual([INFO, INFO]);
});

test('serves a client whose frames arrive byte by byte', async () => {
  const bytes = Buffer.concat([preface, call(1, block(RECORDED['grpc-go 1.27, unix:///path']))]);
  expect(
    await answers(
      [...bytes].map((byte) => Buffer.from([byte])),
      1,
    ),
  ).toEqual([INFO]);
});

test('serves a client that sends padded headers with a priority', async () => {
  const fields = block(RECORDED['grpc-go 1.27, unix:/path']);
  const padded = Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 15]), fields, Buffer.alloc(3)]);
  const bytes = [preface, frame(1, 0x2c, 1, padded), frame(0, 1, 1, request)];
  expect(await answers(bytes, 1)).toEqual([INFO]);
});

test('leaves a truncated header block unchanged', () => {
  const whole = block(RECORDED['grpc-go 1.27, unix:///path']);
  for (let length = 0; length < whole.length; length++) {
    const cut = Buffer.from(whole.subarray(0, length));
    replaceSlashes(cut);
    expect(cut).toHaveLength(length);
  }
});

test('leaves slashes in other fields unchanged', () => {
  const fields = Buffer.concat([Buffer.from([0x44]), plain('/a/b'), Buffer.from([0x01]), plain('/a/b')]);
  replaceSlashes(fields);
  expect(fields.toString('latin1')).toBe('D\x04/a/b\x01\x04.a.b');
});
