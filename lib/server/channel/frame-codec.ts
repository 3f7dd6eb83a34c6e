import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { type Frame, FrameError, MAX_MESSAGE } from './frame.ts';

/** The first byte of a message. `end` is the last data frame. `closed` is the answer to a close frame. */
const TYPES = {
  hello: 1,
  open: 2,
  data: 3,
  end: 4,
  window: 5,
  close: 6,
  closed: 7,
  ring: 8,
  ping: 9,
  pong: 10,
} as const;
/** The size in bytes of an id, an offset or a nonce, big-endian. */
const NUMBER = 6;
/** The maximum nesting depth of a JSON body. */
const MAX_DEPTH = 32;

/** Encodes a frame as one message: a byte for its type, its numbers, and the rest. */
export function encodeFrame(frame: Frame): Buffer {
  switch (frame.type) {
    case 'hello':
    case 'ring':
      return message(TYPES[frame.type], [], Buffer.from(encodeJson(frame.body)));
    case 'open':
      return message(TYPES.open, [frame.stream], Buffer.from(encodeJson(frame.body)));
    case 'data':
      return message(frame.end ? TYPES.end : TYPES.data, [frame.stream, frame.offset], frame.bytes);
    case 'window':
      return message(TYPES.window, [frame.stream, frame.received, frame.limit]);
    case 'close':
      return message(frame.answer ? TYPES.closed : TYPES.close, [frame.stream], Buffer.from(frame.reason));
    case 'ping':
    case 'pong':
      return message(TYPES[frame.type], [frame.nonce]);
  }
}

function message(type: number, numbers: readonly number[], rest: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(1 + numbers.length * NUMBER);
  head.writeUInt8(type);
  numbers.forEach((number, i) => head.writeUIntBE(number, 1 + i * NUMBER, NUMBER));
  const whole = Buffer.concat([head, rest]);
  if (whole.length > MAX_MESSAGE) throw new FrameError(`a message of ${whole.length} bytes is too long`);
  return whole;
}

/** Decodes the frame of a message. Throws FrameError. The bytes of a data frame are a view of the message. */
export function decodeFrame(bytes: Uint8Array): Frame {
  if (bytes.length > MAX_MESSAGE) throw new FrameError(`a message of ${bytes.length} bytes is too long`);
  const reader = new Reader(bytes);
  const type = reader.type();
  switch (type) {
    case TYPES.hello:
      return { type: 'hello', body: reader.json() };
    case TYPES.ring:
      return { type: 'ring', body: reader.json() };
    case TYPES.open:
      return { type: 'open', stream: reader.number(), body: reader.json() };
    case TYPES.data:
    case TYPES.end:
      return {
        type: 'data',
        stream: reader.number(),
        offset: reader.number(),
        bytes: reader.rest(),
        end: type === TYPES.end,
      };
    case TYPES.window:
      return { type: 'window', stream: reader.number(), received: reader.number(), limit: reader.number() };
    case TYPES.close:
    case TYPES.closed:
      return { type: 'close', stream: reader.number(), reason: reader.text(), answer: type === TYPES.closed };
    case TYPES.ping:
      return { type: 'ping', nonce: reader.number() };
    case TYPES.pong:
      return { type: 'pong', nonce: reader.number() };
    default:
      throw new FrameError(`unknown type of frame ${type}`);
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 1;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  type(): number {
    return this.#bytes[0] ?? 0;
  }

  number(): number {
    if (this.#bytes.length < this.#at + NUMBER) throw new FrameError('the message is cut off');
    this.#at += NUMBER;
    return this.#bytes.readUIntBE(this.#at - NUMBER, NUMBER);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  text(): string {
    return this.#bytes.toString('utf8', this.#at);
  }

  json(): Json {
    try {
      return decodeJson(this.rest(), { maxDepth: MAX_DEPTH }).value;
    } catch (error) {
      throw new FrameError('the body of the frame is no JSON', { cause: error });
    }
  }
}
