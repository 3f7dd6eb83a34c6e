import { internalError } from '#lib/machinery/errors.ts';
import { statusOf } from '#lib/machinery/status.ts';
import { CLOSE, closeFrame, frame, OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { frameHead, unmasked } from '#lib/server/endpoints/web-socket/frame-head.ts';
import type { FrameLayout, FramePart } from './frame-cutter.ts';
import { SpdyErrorStreams } from './spdy-error-streams.ts';

/** The framing of a session, as far as a relay in its middle reads it. */
export interface SessionProtocol {
  /** The layout of a frame of the client, or of the runtime; undefined for an incomplete head. Throws Error for bytes that are no frame. */
  clientLayout(bytes: Uint8Array): FrameLayout | undefined;
  runtimeLayout(bytes: Uint8Array): FrameLayout | undefined;
  /** Called with each part of the client's frames except pings that the relay answers. */
  sent?(part: FramePart): void;
  /** The answer to a ping of the client. Undefined for the client's answer to a ping of the runtime. */
  pong(ping: FramePart): Uint8Array | undefined;
  /** A part of the runtime's frame for the client. Another frame may follow the part if `isWhole`. */
  onward(part: FramePart): { readonly bytes: Uint8Array; readonly isWhole: boolean };
  /** Whether the frame is the last one of its sender. */
  isFarewell(head: Uint8Array): boolean;
  /** The frames that report to the client that the runtime broke the session off. Undefined if the protocol has none. */
  broken(reason: string): Uint8Array | undefined;
}

/** Bytes without frames: the runtime's refusal of a session. */
export const unframed: SessionProtocol = {
  clientLayout: wholeLayout,
  runtimeLayout: wholeLayout,
  pong: () => undefined,
  onward: ({ payload }) => ({ bytes: payload, isWhole: true }),
  isFarewell: () => false,
  broken: () => undefined,
};

function wholeLayout({ length }: Uint8Array): FrameLayout {
  return { head: 0, length, isPing: false };
}

/** RFC 6455. */
export const webSocketProtocol: SessionProtocol = {
  clientLayout: (bytes) => webSocketLayout(bytes, true),
  runtimeLayout: (bytes) => webSocketLayout(bytes, false),
  pong: ({ head, payload }) => frame(OPCODE.pong, unmasked(Buffer.concat([head.subarray(-4), payload]))),
  onward: (part) => ({ bytes: bytesOf(part), isWhole: part.isLast }),
  isFarewell: ([first = 0]) => (first & 0x0f) === OPCODE.close,
  broken: (reason) => closeFrame(CLOSE.internalError, reason),
};

function webSocketLayout(bytes: Uint8Array, isFromClient: boolean): FrameLayout | undefined {
  const head = frameHead(bytes, isFromClient);
  return head && { head: head.size, length: head.length, isPing: isFromClient && head.opcode === OPCODE.ping };
}

/** Types of control frames (SPDY/3.1, 2.6), and the flag of a stream's last frame. */
const SYN_STREAM = 1;
const RST_STREAM = 3;
const FIN = 1;
const PING = 6;
const GOAWAY = 7;
/** Bytes of a head. Its last four are the flags and the length of the payload. */
const HEAD = 8;
const LENGTH = 5;

/**
 * SPDY/3.1. A data frame goes on in as many frames as it arrives in, so that an answer never waits for the rest of one. Clients send pings with odd
 * numbers, servers with even ones, and an answer has the number of its ping. `version` is the protocol of the streams, such as
 * `v4.channel.k8s.io`. It determines how an error stream reports a session that breaks off: as a Status, or as text.
 */
export function spdyProtocol(version: string): SessionProtocol {
  const errors = new SpdyErrorStreams();
  return {
    clientLayout: spdyLayout,
    runtimeLayout: (bytes) => {
      const layout = spdyLayout(bytes);
      return layout && { ...layout, isPing: false };
    },
    sent: (part) => errors.sent(spdyPart(part)),
    pong: ({ head, payload }) => ((payload[3] ?? 0) % 2 === 1 ? Buffer.concat([head, payload]) : undefined),
    onward: (part) => {
      errors.received(spdyPart(part));
      return isControl(part.head) ? { bytes: bytesOf(part), isWhole: part.isLast } : dataFrame(part);
    },
    isFarewell: (head) => typeOf(head) === GOAWAY,
    broken: (reason) =>
      Buffer.concat(Array.from(errors.open, (stream) => lastFrame(stream, errorText(version, reason)))),
  };
}

/** The protocol whose error stream carries a Status (client-go: StreamProtocolV4Name). */
const V4 = 'v4.channel.k8s.io';

const errorText = (version: string, reason: string): string =>
  version === V4 ? JSON.stringify(statusOf(internalError(reason))) : reason;

/** The only and last data frame of a stream. */
function lastFrame(stream: number, text: string): Uint8Array {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(stream);
  head.writeUInt8(FIN, LENGTH - 1);
  head.writeUIntBE(payload.length, LENGTH, 3);
  return Buffer.concat([head, payload]);
}

function spdyPart(part: FramePart): Parameters<SpdyErrorStreams['sent']>[0] {
  const isFin = ((part.head[LENGTH - 1] ?? 0) & FIN) !== 0;
  return { ...part, isFin, kind: isControl(part.head) ? (KINDS.get(typeOf(part.head)) ?? 'other') : 'data' };
}

const KINDS: ReadonlyMap<number | undefined, 'syn' | 'reset'> = new Map([
  [SYN_STREAM, 'syn'],
  [RST_STREAM, 'reset'],
]);

function spdyLayout(bytes: Uint8Array): FrameLayout | undefined {
  if (bytes.length < HEAD) return undefined;
  const length = viewOf(bytes).readUIntBE(LENGTH, 3);
  return { head: HEAD, length, isPing: typeOf(bytes) === PING && length === 4 };
}

const isControl = ([first = 0]: Uint8Array): boolean => first >= 0x80;

const typeOf = (head: Uint8Array): number | undefined => (isControl(head) ? viewOf(head).readUInt16BE(2) : undefined);

/** The part as a data frame. Only the last one has the flags, among them the end of the stream. */
function dataFrame({ head, payload, isLast }: FramePart): { bytes: Uint8Array; isWhole: boolean } {
  if (payload.length === 0 && !isLast) return { bytes: payload, isWhole: true };
  const bytes = Buffer.concat([head, payload]);
  bytes.writeUIntBE(payload.length, LENGTH, 3);
  if (!isLast) bytes.writeUInt8(0, LENGTH - 1);
  return { bytes, isWhole: true };
}

const bytesOf = ({ head, payload, isFirst }: FramePart): Uint8Array =>
  isFirst ? Buffer.concat([head, payload]) : payload;

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
