import type { Change, Proposal, Version } from './sequence.ts';

/**
 * Stored bodies are JSON whose `metadata.resourceVersion` is the version of the change. The encoder writes kind, apiVersion and metadata
 * first. Before `resourceVersion`, metadata contains only plain names. Quotes inside a JSON string are escaped, so the first occurrence of
 * this text is the field itself.
 */
const FIELD = Buffer.from('"resourceVersion":"');
const QUOTE = 0x22;

/** Returns `body` with `version` instead of its current version, or `body` itself if it already has that version. */
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

/** The length of `body` when stamped with `version`. */
export function stampedLength(body: Uint8Array, version: Version): number {
  const { start, end } = span(body);
  return body.length - (end - start) + String(version).length;
}

/** The changes that the proposals become at the positions after `after`. */
export const stampAll = (after: Version, proposals: readonly Proposal[]): Change[] =>
  proposals.map((proposal, i) => ({ ...proposal, version: after + 1 + i, body: stamp(proposal.body, after + 1 + i) }));

/** The version in `body`. */
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
