import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EventClock } from '#test/support/event-clock.ts';
import type { ByteStream } from './byte-stream.ts';
import { MAX_DATA, WINDOW } from './frame.ts';
import { allOf, echo, writeAll } from './testing/ends.ts';

const MEGABYTE = 1024 * 1024;

/** A server and an agent connected by a transport. */
export interface StreamsUnderTest {
  readonly clock: EventClock;
  /** Returns numbers below 1, the same in each run. */
  random(): number;
  open(signal?: AbortSignal): Promise<ByteStream>;
  /** Returns the streams that the agent accepted. */
  accepted(): readonly ByteStream[];
}

/**
 * Connects a server and an agent with a transport. The seed makes the run repeatable. `accept` belongs to the agent, and throws to refuse a
 * stream.
 */
export type JoinStreams = (
  seed: number,
  accept: (stream: ByteStream) => void | Promise<void>,
) => Promise<StreamsUnderTest>;

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns random bytes. */
export function bytesOf(random: () => number, length: number): Buffer {
  const words = new Uint32Array(Math.ceil(length / 4)).map(() => random() * 2 ** 32);
  return Buffer.from(words.buffer, 0, length);
}

/** Sends bytes to an echo and back. */
export async function thereAndBack(link: Pick<StreamsUnderTest, 'open' | 'random'>, length: number): Promise<void> {
  const stream = await link.open();
  const bytes = bytesOf(link.random, length);
  const [back] = await Promise.all([allOf(stream), writeAll(stream, bytes, link.random)]);
  expect(digest(back)).toBe(digest(bytes));
}

/** Echoes on the peer's side. The opener sees its errors. */
export const echoing = (stream: ByteStream): void => void echo(stream).catch(() => undefined);

function first(link: StreamsUnderTest): ByteStream {
  const [stream] = link.accepted();
  if (stream === undefined) throw new Error('no stream was accepted');
  return stream;
}

async function writeSingly(stream: ByteStream, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await stream.write(Uint8Array.of(i & 255));
  stream.end();
}

/** Tests that streams behave the same over every transport. */
export function streamsConformance(transport: string, join: JoinStreams): void {
  describe(`a stream over ${transport}`, () => {
    test('carries a megabyte both ways', async () => {
      const link = await join(1, echoing);
      await link.clock.runUntil(thereAndBack(link, MEGABYTE));
    });

    test('is refused with the error message of the other end', async () => {
      const link = await join(3, () => {
        throw new Error('no such port');
      });
      await expect(link.clock.runUntil(link.open())).rejects.toThrow('no such port');
    });

    test('ends in one direction and continues in the other', async () => {
      const link = await join(5, async (accepted) => {
        void allOf(accepted).then(async (bytes) => {
          await accepted.write(Buffer.from(`got ${bytes.length}`));
          accepted.end();
        });
      });
      const stream = await link.clock.runUntil(link.open());
      await link.clock.runUntil(stream.write(Buffer.from('hello')));
      stream.end();
      expect(String(await link.clock.runUntil(allOf(stream)))).toBe('got 5');
      await expect(stream.write(Buffer.from('more'))).rejects.toThrow('write after end');
    });

    test('fails with the reason if the other end destroys it', async () => {
      const link = await join(6, () => undefined);
      const stream = await link.clock.runUntil(link.open());
      const other = first(link);
      stream.destroy();
      await expect(link.clock.runUntil(allOf(other))).rejects.toThrow('destroyed');
      await expect(other.write(Buffer.from('x'))).rejects.toThrow('destroyed');
    });

    test('arrives completely even if its sender destroys it after delivery', async () => {
      const link = await join(10, () => undefined);
      const stream = await link.clock.runUntil(link.open());
      const bytes = bytesOf(link.random, 200_000);
      const sent = async (): Promise<void> => {
        await stream.write(bytes);
        stream.end();
        await stream.delivered;
        stream.destroy();
      };
      await link.clock.runUntil(sent());
      expect(digest(await link.clock.runUntil(allOf(first(link))))).toBe(digest(bytes));
    });

    test('is not delivered if it breaks before its end has arrived', async () => {
      const link = await join(11, () => undefined);
      const stream = await link.clock.runUntil(link.open());
      stream.destroy();
      await expect(stream.delivered).rejects.toThrow('destroyed');
    });

    test('ends when its opener aborts', async () => {
      const link = await join(7, () => undefined);
      const opener = new AbortController();
      await link.clock.runUntil(link.open(opener.signal));
      opener.abort();
      await expect(link.clock.runUntil(allOf(first(link)))).rejects.toThrow('given up');
    });

    test('blocks its writer after one window if the reader stops', async () => {
      const link = await join(8, () => undefined);
      const stream = await link.clock.runUntil(link.open());
      let written = 0;
      const writer = (async () => {
        for (;;) {
          await stream.write(Buffer.alloc(10_000));
          written += 10_000;
        }
      })();
      writer.catch(() => undefined);
      await link.clock.runUntil(link.clock.sleep(600_000));
      expect(written).toBeGreaterThan(WINDOW - MAX_DATA);
      expect(written).toBeLessThanOrEqual(WINDOW);
      const reader = first(link).incoming[Symbol.asyncIterator]();
      const readMegabyte = async (): Promise<void> => {
        for (let read = 0; read < MEGABYTE; ) read += (await reader.next()).value?.length ?? 0;
      };
      await link.clock.runUntil(readMegabyte());
      expect(written).toBeGreaterThan(MEGABYTE);
    });

    test('preserves the order of small writes', async () => {
      const link = await join(9, echoing);
      const stream = await link.clock.runUntil(link.open());
      const all = Promise.all([allOf(stream), writeSingly(stream, 5000)]);
      const [back] = await link.clock.runUntil(all);
      expect(back).toEqual(Buffer.from(Array.from({ length: 5000 }, (_, i) => i & 255)));
    });

    test('transfers its data alongside a hundred others', async () => {
      const link = await join(20, echoing);
      await link.clock.runUntil(Promise.all(Array.from({ length: 100 }, () => thereAndBack(link, 20_000))));
    });

    test('is not delayed by a stream whose reader has stopped', async () => {
      let isFirst = true;
      const link = await join(21, (stream) => {
        if (!isFirst) echoing(stream);
        isFirst = false;
      });
      const stuck = await link.clock.runUntil(link.open());
      stuck.write(Buffer.alloc(MEGABYTE)).catch(() => undefined);
      await link.clock.runUntil(thereAndBack(link, MEGABYTE));
    });
  });
}
