import type { ByteStream } from './byte-stream.ts';

/** Copies bytes between two streams until both directions have ended, or one stream breaks. Never rejects. */
export async function joinStreams(first: ByteStream, second: ByteStream): Promise<void> {
  try {
    await Promise.all([carry(first, second), carry(second, first)]);
  } catch {
    first.destroy();
    second.destroy();
  }
}

async function carry(from: ByteStream, to: ByteStream): Promise<void> {
  for await (const bytes of from.incoming) await to.write(bytes);
  to.end();
}
