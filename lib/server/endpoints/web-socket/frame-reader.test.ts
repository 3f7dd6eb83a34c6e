import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskedFrame } from '#test/support/web-socket.ts';
import { CLOSE, frame, OPCODE } from './frame.ts';
import { WebSocketError } from './frame-head.ts';
import { checkClose, FrameReader } from './frame-reader.ts';

/** Returns the control frames of bytes that arrive in these parts, or the closing status. */
function readAll(parts: readonly Uint8Array[]): (readonly [number, string])[] | number {
  const reader = new FrameReader();
  try {
    return parts.flatMap((part) =>
      [...reader.read(part)].map(({ opcode, payload }) => [opcode, Buffer.from(payload).toString('latin1')] as const),
    );
  } catch (error) {
    if (error instanceof WebSocketError) return error.status;
    throw error;
  }
}

/** Splits the bytes into parts of the sizes, repeatedly. */
function split(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = sizes[parts.length % sizes.length] ?? 1;
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

const payloads = (maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength, size: 'max' });
const control = fc.tuple(fc.constantFrom(OPCODE.close, OPCODE.ping, OPCODE.pong), payloads(125));
const data = fc.tuple(
  fc.constantFrom(OPCODE.text, OPCODE.binary, OPCODE.continuation),
  fc.oneof(payloads(300), fc.constant(new Uint8Array(70_000))),
  fc.constantFrom(0, 0x80),
);
const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5000 })), { minLength: 1 });

describe('the bytes of a client', () => {
  test('yield the same control frames however they are split, and no messages', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(control, data), { maxLength: 12 }), sizes, (frames, parts) => {
        const bytes = Buffer.concat(frames.map(([opcode, payload, first]) => maskedFrame(opcode, payload, first)));
        const expected = frames
          .filter(([opcode]) => opcode >= OPCODE.close)
          .map(([opcode, payload]) => [opcode, Buffer.from(payload).toString('latin1')]);
        expect(readAll(split(bytes, parts))).toEqual(expected);
      }),
    );
  });

  test('yield the same frames or the same error, whatever they are and however they are split', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400, size: 'max' }), sizes, (bytes, parts) => {
        const read = readAll(split(bytes, parts));
        expect(read).toEqual(readAll([bytes]));
        if (typeof read === 'number') expect([CLOSE.protocolError, CLOSE.tooBig]).toContain(read);
      }),
    );
  });

  const huge = (length: bigint): Buffer => {
    const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
    head.writeBigUInt64BE(length, 2);
    return head;
  };

  test.each<[string, Uint8Array, number]>([
    ['not masked', frame(OPCODE.text, Buffer.from('hi')), CLOSE.protocolError],
    ['of an extension', maskedFrame(OPCODE.text, 'hi', 0xc0), CLOSE.protocolError],
    ['of an opcode for messages that is reserved', maskedFrame(3, 'hi'), CLOSE.protocolError],
    ['of an opcode for control that is reserved', maskedFrame(11, 'hi'), CLOSE.protocolError],
    ['a ping in parts', maskedFrame(OPCODE.ping, 'hi', 0), CLOSE.protocolError],
    ['a ping that is too long', maskedFrame(OPCODE.ping, 'x'.repeat(126)), CLOSE.protocolError],
    ['too large', huge(32n * 1024n * 1024n + 1n), CLOSE.tooBig],
    ['of a length that none has', huge(2n ** 64n - 1n), CLOSE.tooBig],
  ])('are rejected as soon as the head of a frame is %s', (_, bytes, status) => {
    expect(readAll([bytes])).toBe(status);
    expect(readAll(split(bytes.subarray(0, 14), [1]))).toBe(status);
  });

  test("may contain a frame of upstream's maximum size, which is skipped", () => {
    expect(readAll([huge(32n * 1024n * 1024n)])).toEqual([]);
  });
});

describe('the payload of a close frame', () => {
  const closing = (status: number, reason: Uint8Array | string = ''): Buffer =>
    Buffer.concat([Buffer.from([status >> 8, status & 0xff]), Buffer.from(reason)]);

  test.each([
    ['empty', Buffer.alloc(0)],
    ['a status', closing(1000)],
    ['a status with a reason', closing(1001, 'bye')],
    ["an application's status with a reason", closing(4999, 'grüße')],
  ])('may be %s', (_, payload) => {
    expect(() => checkClose(payload)).not.toThrow();
  });

  test.each<[string, Uint8Array, number]>([
    ['half a status', Buffer.from([3]), CLOSE.protocolError],
    ['the reserved status for a missing one', closing(1005), CLOSE.protocolError],
    ['an unassigned status', closing(2999), CLOSE.protocolError],
    ['a status below the valid range', closing(999), CLOSE.protocolError],
    ['a reason that is not UTF-8', closing(1000, Buffer.from([0xff])), CLOSE.invalidData],
  ])('may not be %s', (_, payload, status) => {
    expect(() => checkClose(payload)).toThrow(expect.objectContaining({ status }));
  });
});
