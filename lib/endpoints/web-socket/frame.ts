/** Types of frames (RFC 6455, 5.2). */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Statuses of close frames (RFC 6455, 7.4.1). */
export const CLOSE = { normal: 1000, protocolError: 1002, invalidData: 1007, tooBig: 1009 } as const;

/** Whether frames of the opcode are about the connection: short, and never in parts. */
export const isControl = (opcode: number): boolean => opcode >= OPCODE.close;

/** A whole message in one frame, as servers send it: not masked. */
export function frame(opcode: number, payload: Uint8Array): Buffer {
  return Buffer.concat([headOf(opcode, payload.length), payload]);
}

/** The last frame of a WebSocket. */
export function closeFrame(status: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(status);
  return frame(OPCODE.close, payload);
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
