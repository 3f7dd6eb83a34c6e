/** One PEM block. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const BEGIN = '-----BEGIN ';
const DASHES = '-----';

/** The PEM blocks of a text in order. Ignores text between blocks and stops at an unterminated block. */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let at = text.indexOf(BEGIN); at >= 0; ) {
    const line = text.indexOf('\n', at);
    const head = text.slice(at + BEGIN.length, line < 0 ? text.length : line).trimEnd();
    const type = head.slice(0, -DASHES.length);
    const end = line < 0 || !head.endsWith(DASHES) ? -1 : text.indexOf(`-----END ${type}-----`, line);
    if (end < 0) return blocks;
    const block = decoded(type, text.slice(line + 1, end));
    if (block !== undefined) blocks.push(block);
    at = text.indexOf(BEGIN, end);
  }
  return blocks;
}

/** Decodes a block. Headers, if any, end with an empty line. */
function decoded(type: string, body: string): PemBlock | undefined {
  const lines = body.split('\n');
  const headers = lines.findIndex((line) => !line.includes(':'));
  const data = lines.slice(Math.max(headers, 0)).join('').replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return undefined;
  return { type, hasHeaders: headers > 0, bytes: Buffer.from(data, 'base64') };
}
