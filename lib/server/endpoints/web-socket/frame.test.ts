import { expect, test } from 'vitest';
import { frames } from '#test/support/kubelet/web-socket.ts';
import { closeFrame, frame, OPCODE } from './frame.ts';

test.each([
  [0, [0x82, 0]],
  [125, [0x82, 125]],
  [126, [0x82, 126, 0, 126]],
  [65_535, [0x82, 126, 0xff, 0xff]],
  [65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])('encodes a message of %i bytes as one frame with the shortest length form', async (length, head) => {
  const bytes = frame(OPCODE.binary, Buffer.alloc(length, 'x'));
  expect([...bytes.subarray(0, head.length)]).toEqual(head);
  expect(bytes.length).toBe(head.length + length);
  const { value } = await frames(
    (async function* () {
      yield bytes;
    })(),
  ).next();
  expect(value?.payload.toString()).toBe('x'.repeat(length));
});

test('encodes the reason in the last frame', () => {
  expect([...closeFrame(1002)]).toEqual([0x88, 2, 0x03, 0xea]);
});
