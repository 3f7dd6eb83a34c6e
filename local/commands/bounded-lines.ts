import type { Readable } from 'node:stream';

/** The lines of a UTF-8 stream. For a line longer than `maxLength`, calls `refuse` with the line number; `refuse` throws. */
export async function* boundedLines(
  stream: Readable,
  maxLength: number,
  refuse: (line: number) => never,
): AsyncGenerator<string, void> {
  let parts: string[] = [];
  let [length, line] = [0, 1];
  stream.setEncoding('utf8');
  for await (const text of stream as AsyncIterable<string>) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        yield parts.join('');
        parts = [];
        length = 0;
        line++;
      }
      parts.push(part);
      length += part.length;
      if (length > maxLength) refuse(line);
    }
  }
  if (length > 0) yield parts.join('');
}
