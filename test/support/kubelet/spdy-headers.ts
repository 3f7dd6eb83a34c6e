import { constants, inflateSync } from 'node:zlib';

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

/** The initial dictionary of both ends (SPDY/3.1, 2.6.10.1). */
const DICTIONARY = Buffer.concat([
  ...WORDS.map((word) => prefixed(word.replace('_', ' '))),
  Buffer.from(CODES + VALUES),
]);
const MAX_BLOCK = 1 << 20;

function prefixed(word: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(word.length);
  return Buffer.concat([size, Buffer.from(word)]);
}

/** Reads the header blocks of one connection in the order in which they come: all of them are one zlib stream. */
export class HeaderReader {
  #compressed = Buffer.alloc(0);
  #read = 0;

  /** Decodes lower-case names and values. Throws if the block is invalid. */
  next(block: Uint8Array): Map<string, string> {
    this.#compressed = Buffer.concat([this.#compressed, block]);
    const plain = inflateSync(this.#compressed, {
      dictionary: DICTIONARY,
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: MAX_BLOCK,
    });
    const bytes = plain.subarray(this.#read);
    this.#read = plain.length;
    return headersIn(bytes);
  }
}

function headersIn(bytes: Buffer): Map<string, string> {
  let at = 4;
  const text = (): string => {
    const size = bytes.readUInt32BE(at);
    at += 4 + size;
    return bytes.toString('utf8', at - size, at);
  };
  return new Map(Array.from({ length: bytes.readUInt32BE(0) }, () => [text(), text()]));
}

/** The start of a zlib stream with the dictionary; the last four bytes are the dictionary's Adler-32. */
const ZLIB_HEAD = [0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2];

/** The header block of a response without headers: not compressed, so that it depends on no previous block. */
export function emptyHeaders({ isFirst }: { readonly isFirst: boolean }): Buffer {
  const count = [0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0];
  const flush = [0, 0, 0, 0xff, 0xff]; // Go returns the data that it has read no sooner
  return Buffer.from([...(isFirst ? ZLIB_HEAD : []), ...count, ...flush]);
}
