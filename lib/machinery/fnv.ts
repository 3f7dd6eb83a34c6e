/** FNV-1a of 32 bits over bytes, or the UTF-8 of a text: Go's `fnv.New32a`. With the hash of what comes before, of both together. */
export function fnv1a32(data: Uint8Array | string, before = 0x811c9dc5): number {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  let hash = before;
  // An index is three times as fast as an iterator, and checkpoints have hundreds of kilobytes.
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  return hash >>> 0;
}
