/** The 32-bit FNV-1a of bytes, or of text as UTF-8: Go's `fnv.New32a`. Pass the hash of preceding data as `before` to continue it. */
export function fnv1a32(data: Uint8Array | string, before = 0x811c9dc5): number {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  let hash = before;
  // An index loop is three times as fast as an iterator, which matters for checkpoints of hundreds of kilobytes.
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  return hash >>> 0;
}
