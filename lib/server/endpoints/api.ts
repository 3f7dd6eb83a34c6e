import type { Upgrade } from '#lib/server/channel/upgrade.ts';

/** The response to a request, before it is written to a transport. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  /** An iterable is a stream: each chunk is flushed at once, headers before the first. */
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** Marks a finite stream, such as a large document. It may be compressed. */
  readonly ends?: true;
  /** Set on a switch of protocols (101): `body` is sent to the client, and this receives the client's bytes. */
  readonly upgrade?: Upgrade;
}
