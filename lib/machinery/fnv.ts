/** FNV-1a of 32 bits over bytes, or the UTF-8 of a text: Go's `fnv.New32a`. */
export function fnv1a32(data: Uint8Array | string): number {
  let hash = 0x811c9dc5;
  for (const byte of typeof data === 'string' ? Buffer.from(data) : data) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}
