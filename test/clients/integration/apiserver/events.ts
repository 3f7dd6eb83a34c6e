import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Stream } from './front-door.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** The next `count` events of a JSON watch. If no count is given, all events until its end. Then it stops reading. */
export async function events(stream: Stream, count = Number.POSITIVE_INFINITY): Promise<WatchEvent[]> {
  const found: WatchEvent[] = [];
  let rest = '';
  for await (const chunk of stream.chunks) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) found.push(JSON.parse(line) as WatchEvent);
    if (found.length >= count) break;
  }
  stream.leave();
  return found.slice(0, count);
}

/** The first `count` frames of a protobuf watch, each with a length prefix of four bytes. */
export async function frames(stream: Stream, count: number): Promise<Buffer[]> {
  const found: Buffer[] = [];
  let rest = Buffer.alloc(0);
  for await (const chunk of stream.chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (let length = size(rest); length !== undefined; length = size(rest)) {
      found.push(rest.subarray(4, 4 + length));
      rest = rest.subarray(4 + length);
    }
    if (found.length >= count) break;
  }
  stream.leave();
  return found.slice(0, count);
}

function size(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined;
  const length = bytes.readUInt32BE();
  return bytes.length >= 4 + length ? length : undefined;
}
