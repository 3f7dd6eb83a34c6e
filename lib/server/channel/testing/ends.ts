import type { Clock } from '#lib/machinery/clock.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { ByteStream } from '../byte-stream.ts';
import { Session, type SessionPorts } from '../session.ts';

/** One end of a channel under test. */
export interface End {
  readonly session: Session;
  /** Streams that the peer opened, with their bodies. */
  readonly accepted: { readonly body: Json; readonly stream: ByteStream }[];
  readonly rings: Json[];
}

/** Returns random numbers below 1, the same for the same seed (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns an end that accepts every stream by default. `accept` may refuse streams or echo all input. */
export function anEnd(clock: Clock, random: () => number, accept?: SessionPorts['accept']): End {
  const accepted: End['accepted'] = [];
  const rings: Json[] = [];
  const session = new Session({
    clock,
    randomId: () => Math.floor(random() * 2 ** 48),
    accept(body, stream, id) {
      accepted.push({ body, stream });
      return accept?.(body, stream, id);
    },
    ring: (body) => void rings.push(body),
  });
  return { session, accepted, rings };
}

/** Returns every byte of a stream, up to its end. */
export async function allOf(stream: ByteStream): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Echoes all incoming bytes until the stream ends. */
export async function echo(stream: ByteStream): Promise<void> {
  for await (const chunk of stream.incoming) await stream.write(chunk);
  stream.end();
}

/** Writes all bytes in parts of random sizes, then the end. */
export async function writeAll(stream: ByteStream, bytes: Uint8Array, random: () => number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + Math.floor(random() ** 3 * 100_000);
    await stream.write(bytes.subarray(at, at + size));
    at += size;
  }
  stream.end();
}
