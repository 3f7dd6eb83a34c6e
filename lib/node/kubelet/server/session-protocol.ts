import { internalError } from '#lib/machinery/errors.ts';
import { statusOf } from '#lib/machinery/status.ts';
import { CLOSE, closeFrame, frame, OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { frameHead, unmasked } from '#lib/server/endpoints/web-socket/frame-head.ts';
import type { FrameLayout, FramePart } from './frame-cutter.ts';
import { SpdyErrorStreams } from './spdy-error-streams.ts';

/** The part of a session's framing that a relay must understand. */
export interface SessionProtocol {
  /**
   * The layout of a frame from the client or the runtime. Undefined for an incomplete header. Throws Error for bytes that are not a frame.
   */
  clientLayout(bytes: Uint8Array): FrameLayout | undefined;
  runtimeLayout(bytes: Uint8Array): FrameLayout | undefined;
  /** Called with each part of the client's frames, except pings to which the relay replies. */
  sent?(part: FramePart): void;
  /** The reply to a ping from the client. Undefined if the frame is the client's reply to a ping from the runtime. */
  pong(ping: FramePart): Uint8Array | undefined;
  /** Converts a part of a runtime frame for the client. If `isWhole`, another frame may follow. */
  onward(part: FramePart): { readonly bytes: Uint8Array; readonly isWhole: boolean };
  /** Whether the frame is the last one of its sender. */
  isFarewell(head: Uint8Array): boolean;
  /** The frames that notify the client that the runtime has broken off the session. Undefined if the protocol has no such frames. */
  broken(reason: string): Uint8Array | undefined;
}

/** A byte stream without frames, such as the runtime's rejection of a session. */
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

/** The WebSocket protocol (RFC 6455). */
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
/** Size of a frame header in bytes. Its last four bytes are the flags and the payload length. */
const HEAD = 8;
const LENGTH = 5;

/**
 * The SPDY/3.1 protocol. Each part of a data frame is forwarded as a separate frame, so replies to pings never wait for the rest of a
 * frame. Clients send pings with odd numbers, servers with even ones, and a reply has the number of its ping. `version` is the protocol of
 * the streams, such as `v4.channel.k8s.io`. It determines whether an error stream reports a broken session as a Status or as text.
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

/** A data frame that ends its stream. */
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

/** Converts a part to a data frame. Only the last part keeps the flags, including the end of the stream. */
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
