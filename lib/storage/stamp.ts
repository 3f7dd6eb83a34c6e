import type { Change, Proposal, Version } from './sequence.ts';

/**
 * Stored bodies are JSON whose `metadata.resourceVersion` is the version of the change. The encoder writes kind,
 * apiVersion and metadata first, and in metadata nothing before `resourceVersion` but plain names; inside a JSON
 * string quotes are escaped, so the first occurrence of the field's text is the field.
 */
const FIELD = Buffer.from('"resourceVersion":"');
const QUOTE = 0x22;

/** `body` with `version` in place of the version it carries; itself where it carries that one. */
export function stamp(body: Uint8Array, version: Version): Uint8Array {
  const { start, end } = span(body);
  const digits = Buffer.from(String(version));
  if (digits.equals(body.subarray(start, end))) return body;
  const out = new Uint8Array(body.length - (end - start) + digits.length);
  out.set(body.subarray(0, start));
  out.set(digits, start);
  out.set(body.subarray(end), start + digits.length);
  return out;
}

/** How long `body` is when it carries `version`. */
export function stampedLength(body: Uint8Array, version: Version): number {
  const { start, end } = span(body);
  return body.length - (end - start) + String(version).length;
}

/** The proposals as the changes that they become behind `after`. */
export const stampAll = (after: Version, proposals: readonly Proposal[]): Change[] =>
  proposals.map((proposal, i) => ({ ...proposal, version: after + 1 + i, body: stamp(proposal.body, after + 1 + i) }));

/** The version that `body` carries. */
export function stampedVersion(body: Uint8Array): Version {
  const { start, end } = span(body);
  return Number(Buffer.from(body.buffer, body.byteOffset + start, end - start).toString('latin1'));
}

function span(body: Uint8Array): { start: number; end: number } {
  const at = Buffer.from(body.buffer, body.byteOffset, body.byteLength).indexOf(FIELD);
  if (at < 0) throw new TypeError('a stored body has no metadata.resourceVersion');
  const start = at + FIELD.length;
  return { start, end: body.indexOf(QUOTE, start) };
}
