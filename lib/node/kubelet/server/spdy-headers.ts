import { constants, inflateRawSync } from 'node:zlib';

const WORDS =
  `options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow
authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5
content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since
last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer
transfer-encoding upgrade user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public
set-cookie keep-alive origin`.split(/\s+/);
const CODES =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found' +
  '500 Internal Server Error501 Not Implemented503 Service Unavailable';
const VALUES =
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,' +
  'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

/** The initial compression dictionary of both ends (SPDY/3.1, 2.6.10.1). */
const DICTIONARY = Buffer.concat([
  ...WORDS.map((word) => prefixed(word.replace('_', ' '))),
  Buffer.from(CODES + VALUES),
]);
/** The maximum size of a header block in bytes. */
const MAX_BLOCK = 64 * 1024;
/** The window size of deflate in bytes. */
const WINDOW = 32 * 1024;
/** Flag in the second byte of a zlib stream that announces a dictionary ID. */
const HAS_DICTIONARY = 0x20;

function prefixed(word: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(word.length);
  return Buffer.concat([size, Buffer.from(word)]);
}

/**
 * Reads the header blocks from one end of a SPDY/3.1 connection, in order. Together they form one zlib stream, which is flushed after each
 * block. Only the window of the stream is kept.
 */
export class HeaderReader {
  #window: Buffer | undefined;

  /** Decodes a block of at most 64 KiB to names and values. Names are in lower case. Throws Error for an invalid block. */
  next(block: Uint8Array): Map<string, string> {
    const isFirst = this.#window === undefined;
    const dictionary = this.#window ?? DICTIONARY;
    const plain = inflateRawSync(isFirst ? block.subarray(zlibHead(block)) : block, {
      dictionary,
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: MAX_BLOCK,
    });
    this.#window = Buffer.concat([dictionary, plain]).subarray(-WINDOW);
    return headersIn(plain);
  }
}

const zlibHead = ([, flags = 0]: Uint8Array): number => ((flags & HAS_DICTIONARY) === 0 ? 2 : 6);

function headersIn(bytes: Buffer): Map<string, string> {
  let at = 4;
  const text = (): string => {
    const size = bytes.readUInt32BE(at);
    at += 4 + size;
    if (at > bytes.length) throw new RangeError('a header is longer than its block');
    return bytes.toString('utf8', at - size, at);
  };
  const headers = new Map<string, string>();
  for (let left = bytes.readUInt32BE(0); left > 0; left--) headers.set(text(), text());
  return headers;
}
