import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frame, OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { SessionFrames } from './session-frames.ts';
import { spdyProtocol, webSocketProtocol } from './session-protocol.ts';

const PING = 6;
const MASK = Uint8Array.of(9, 8, 7, 6);

/** A SPDY frame: data of a stream, or a control frame of this type. */
function spdy(payload: Uint8Array, type?: number, flags = 0): Buffer {
  const head = type === undefined ? [0, 0, 0, 3, flags, 0, 0, 0] : [0x80, 3, 0, type, flags, 0, 0, 0];
  const bytes = Buffer.concat([Buffer.from(head), payload]);
  bytes.writeUIntBE(payload.length, 5, 3);
  return bytes;
}

/** Splits the bytes into parts of these sizes, repeatedly. */
function split(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = sizes[parts.length % sizes.length] ?? 1;
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

const payloads = fc.uint8Array({ maxLength: 300, size: 'max' });
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
const ids = fc.integer({ min: 0, max: 100 });

interface Case {
  readonly title: string;
  readonly frames: () => SessionFrames;
  readonly ping: (id: number) => Buffer;
  readonly data: (payload: Uint8Array) => Buffer;
  readonly pong: (id: number) => Buffer;
  readonly farewell: Buffer;
}

const CASES: readonly Case[] = [
  {
    title: 'SPDY',
    frames: () => new SessionFrames(spdyProtocol('v4.channel.k8s.io')),
    ping: (id) => spdy(Buffer.from([0, 0, 0, 2 * id + 1]), PING),
    data: (payload) => spdy(payload),
    pong: (id) => spdy(Buffer.from([0, 0, 0, 2 * id + 1]), PING),
    farewell: spdy(Buffer.alloc(8), 7),
  },
  {
    title: 'a WebSocket',
    frames: () => new SessionFrames(webSocketProtocol),
    ping: (id) => frame(OPCODE.ping, Buffer.from(String(id)), MASK),
    data: (payload) => frame(OPCODE.binary, payload, MASK),
    pong: (id) => frame(OPCODE.pong, Buffer.from(String(id))),
    farewell: frame(OPCODE.close, Buffer.alloc(0)),
  },
];

describe.each(CASES)('the frames of $title', ({ frames, ping, data, pong, farewell }) => {
  test('are forwarded to the runtime without pings, however they are split', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(payloads, ids)), sizes, (sent, cuts) => {
        const all = Buffer.concat(sent.map((one) => (typeof one === 'number' ? ping(one) : data(one))));
        const session = frames();
        const passed = split(all, cuts).map((part) => session.fromClient(part));
        const expected = sent.map((one) => (typeof one === 'number' ? new Uint8Array() : data(one)));
        expect(Buffer.concat(passed)).toEqual(Buffer.concat(expected));
      }),
    );
  });

  test('include at most sixteen replies to pings while the client does not read', () => {
    const session = frames();
    for (let id = 0; id < 100; id++) session.fromClient(ping(id));
    expect(Buffer.from(session.answers())).toEqual(Buffer.concat(Array.from({ length: 16 }, (_, id) => pong(id))));
    expect(session.answers()).toHaveLength(0);
  });

  test('end with the last frame of the runtime', () => {
    const session = frames();
    session.fromClient(ping(1));
    session.answers();
    session.fromRuntime(farewell);
    session.fromClient(ping(2));
    expect([session.isOver, session.answers().length, session.broken('late').length]).toEqual([true, 0, 0]);
  });
});

test('forwards each part of a SPDY data frame as a separate frame, with the flags only in the last', () => {
  const session = new SessionFrames(spdyProtocol('v4.channel.k8s.io'));
  const whole = spdy(Buffer.from('abcdef'), undefined, 1);
  const passed = split(whole, [10]).map((part) => Buffer.from(session.fromRuntime(part)));
  expect(passed).toEqual([spdy(Buffer.from('ab')), spdy(Buffer.from('cdef'), undefined, 1)]);
});

test("forwards the client's reply to a ping from the runtime", () => {
  const session = new SessionFrames(spdyProtocol('v4.channel.k8s.io'));
  const answer = spdy(Buffer.from([0, 0, 0, 2]), PING);
  expect(Buffer.from(session.fromClient(answer))).toEqual(answer);
  expect(session.answers()).toHaveLength(0);
});

test('reports an aborted runtime session to a WebSocket client, unless within a frame', () => {
  const session = new SessionFrames(webSocketProtocol);
  expect([...session.broken('why')].slice(2)).toEqual([...Buffer.from([0x03, 0xf3]), ...Buffer.from('why')]);
  session.fromRuntime(frame(OPCODE.binary, Buffer.from('half')).subarray(0, 3));
  expect(session.broken('why')).toHaveLength(0);
});

test('inserts replies to pings between frames of the runtime, never within one', () => {
  fc.assert(
    fc.property(payloads, fc.integer({ min: 1, max: 303 }), (payload, at) => {
      const whole = frame(OPCODE.binary, payload);
      const pong = frame(OPCODE.pong, Buffer.from('1'));
      const session = new SessionFrames(webSocketProtocol);
      const first = session.fromRuntime(whole.subarray(0, at));
      session.fromClient(frame(OPCODE.ping, Buffer.from('1'), MASK));
      const between = session.answers();
      const passed = Buffer.concat([first, between, session.fromRuntime(whole.subarray(at)), session.answers()]);
      // An incomplete header is not forwarded yet, so a reply may precede it.
      expect(passed).toEqual(Buffer.concat(first.length === 0 ? [pong, whole] : [whole, pong]));
    }),
  );
});
