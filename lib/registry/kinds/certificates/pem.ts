/** One PEM block. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const BLOCK = /-----BEGIN ([^\n]*?)-----[ \t\r]*\n([\s\S]*?)-----END \1-----/g;

/** The PEM blocks of a text in order; what lies between them is ignored, as Go's pem.Decode does. */
export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(BLOCK)].flatMap(([, type = '', body = '']) => {
    const headers = /^(?:[^\n:]+:[^\n]*\n)+\s*\n?/.exec(body)?.[0] ?? '';
    const data = body.slice(headers.length).replace(/\s/g, '');
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return [];
    return [{ type, hasHeaders: headers !== '', bytes: Buffer.from(data, 'base64') }];
  });
}
