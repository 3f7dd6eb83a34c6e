import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLOSE, frame, OPCODE } from './frame.ts';
import { WebSocketError } from './frame-head.ts';
import { MessageReader } from './message-reader.ts';

const MASK = Uint8Array.of(1, 2, 3, 4);
const LIMIT = 1000;
const LARGE = 512 * 1024;

type Read = (readonly [number, string])[] | number;

/** Returns the messages of bytes that arrive in parts of the sizes, or the closing status. */
function readAll(bytes: Uint8Array, sizes: readonly number[] = [bytes.length], isFromClient = true): Read {
  const reader = new MessageReader(isFromClient, LIMIT);
  const read: (readonly [number, string])[] = [];
  try {
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const size = sizes[i % sizes.length] ?? 1;
      for (const { opcode, payload } of reader.read(bytes.subarray(at, at + size)))
        read.push([opcode, Buffer.from(payload).toString('latin1')]);
      at += size;
    }
    return read;
  } catch (error) {
    if (error instanceof WebSocketError) return error.status;
    throw error;
  }
}

/** Returns a frame that is not the last of its message. */
function part(opcode: number, payload: Uint8Array, mask: Uint8Array | undefined): Buffer {
  const bytes = frame(opcode, payload, mask);
  bytes.writeUInt8(bytes.readUInt8(0) & 0x7f, 0);
  return bytes;
}

const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 });

describe('a reader of messages', () => {
  test.each([true, false])(
    'joins fragments, and yields control frames between them separately (from a client: %s)',
    (isFromClient) => {
      const mask = isFromClient ? MASK : undefined;
      fc.assert(
        fc.property(
          fc.array(fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
          sizes,
          (messages, cuts) => {
            const frames = messages.flatMap((parts) =>
              parts.flatMap((payload, i) => {
                const opcode = i === 0 ? OPCODE.binary : OPCODE.continuation;
                const isLast = i === parts.length - 1;
                return [
                  isLast ? frame(opcode, payload, mask) : part(opcode, payload, mask),
                  frame(OPCODE.ping, Uint8Array.of(i), mask),
                ];
              }),
            );
            const expected = messages.flatMap((parts) => [
              ...parts.slice(1).map((_, i) => [OPCODE.ping, String.fromCodePoint(i)]),
              [OPCODE.binary, Buffer.concat(parts).toString('latin1')],
              [OPCODE.ping, String.fromCodePoint(parts.length - 1)],
            ]);
            expect(readAll(Buffer.concat(frames), cuts, isFromClient)).toEqual(expected);
          },
        ),
      );
    },
  );

  test('yields the same for any bytes, however they are split', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400, size: 'max' }), sizes, (bytes, cuts) => {
        const [whole, cut] = [readAll(bytes), readAll(bytes, cuts)];
        if (typeof whole === 'number') expect(cut).toBe(whole);
        else expect(cut).toEqual(whole);
      }),
    );
  });

  test('reads a large message in single bytes without copying all of it each time', () => {
    const bytes = frame(OPCODE.binary, Buffer.alloc(LARGE, 1), MASK);
    const reader = new MessageReader(true, LARGE);
    const read: number[] = [];
    for (let at = 0; at < bytes.length; at++)
      for (const { payload } of reader.read(bytes.subarray(at, at + 1))) read.push(payload.length);
    expect(read).toEqual([LARGE]);
  }, 15_000);

  test.each<[string, Buffer, number]>([
    ['a message above the limit', frame(OPCODE.binary, Buffer.alloc(LIMIT + 1), MASK), CLOSE.tooBig],
    [
      'parts that are above it together',
      Buffer.concat([part(OPCODE.binary, Buffer.alloc(LIMIT), MASK), part(OPCODE.continuation, Buffer.alloc(1), MASK)]),
      CLOSE.tooBig,
    ],
    ['a continuation without a first fragment', frame(OPCODE.continuation, Buffer.alloc(1), MASK), CLOSE.protocolError],
    [
      'a message within another',
      Buffer.concat([part(OPCODE.binary, Buffer.alloc(1), MASK), frame(OPCODE.binary, Buffer.alloc(1), MASK)]),
      CLOSE.protocolError,
    ],
    ['a frame without a mask', frame(OPCODE.binary, Buffer.alloc(1)), CLOSE.protocolError],
  ])('rejects input with %s', (_, bytes, status) => {
    expect(readAll(bytes)).toBe(status);
  });
});
