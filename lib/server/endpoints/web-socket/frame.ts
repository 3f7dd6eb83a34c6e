/** Types of frames (RFC 6455, 5.2). */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Statuses of close frames (RFC 6455, 7.4.1). */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  invalidData: 1007,
  policy: 1008,
  tooBig: 1009,
  internalError: 1011,
  serviceRestart: 1012,
} as const;

/** Whether the opcode is a control frame: short, and never fragmented. */
export const isControl = (opcode: number): boolean => opcode >= OPCODE.close;

/** Encodes a whole message in one frame. Clients pass a mask of four bytes, servers none. */
export function frame(opcode: number, payload: Uint8Array, mask?: Uint8Array): Buffer {
  const head = headOf(opcode, payload.length);
  if (mask === undefined) return Buffer.concat([head, payload]);
  head.writeUInt8(head.readUInt8(1) | 0x80, 1);
  return Buffer.concat([head, mask, masked(payload, mask)]);
}

/**
 * Applies a mask of four bytes to the payload, or removes it (RFC 6455, 5.3). It uses a loop because a callback per byte takes ten times as
 * long.
 */
export function masked(payload: Uint8Array, mask: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(payload.length);
  for (let i = 0; i < payload.length; i++) bytes[i] = (payload[i] ?? 0) ^ (mask[i & 3] ?? 0);
  return bytes;
}

/** The maximum size in bytes of the reason in a close frame. */
const MAX_REASON = 123;

/** Encodes the last frame of a WebSocket. Cuts off a long reason. */
export function closeFrame(status: number, reason = '', mask?: Uint8Array): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(status);
  return frame(OPCODE.close, Buffer.concat([head, new TextEncoder().encode(cutTo(reason, MAX_REASON))]), mask);
}

/** Cuts the text to a maximum number of bytes without splitting a character. */
function cutTo(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

function headOf(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode; // the last frame of its message
  if (length < 126) return Buffer.from([first, length]);
  if (length < 1 << 16) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const head = Buffer.alloc(10);
  head.writeUInt16BE((first << 8) | 127);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
