/** The start of a zlib stream with the dictionary. The last four bytes are the dictionary's Adler-32. */
const ZLIB_HEAD = [0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2];

/** The header block of a response without headers. It is not compressed, so it depends on no previous block. */
export function emptyHeaders({ isFirst }: { readonly isFirst: boolean }): Buffer {
  const count = [0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0];
  const flush = [0, 0, 0, 0xff, 0xff]; // without it, Go does not return the data that it has read
  return Buffer.from([...(isFirst ? ZLIB_HEAD : []), ...count, ...flush]);
}
