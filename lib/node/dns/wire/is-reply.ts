import { endOfName, recordsAt } from './walk.ts';

const HEADER = 12;
/** The QR bit and the opcode, which is 0 for a query. */
const KIND = 0xf800;
const ANSWER = 0x8000;
const TRUNCATED = 0x0200;
/** The codes for which servers may omit the question: FORMERR, SERVFAIL, NOTIMP and REFUSED. */
const FAILURES = [1, 2, 4, 5];

/**
 * Whether a message answers a sent query: it has the same identifier and question, and its records are complete. Upper and lower case in
 * the question are equal. A message without a question counts as a server failure if it has no records.
 */
export function isReply(query: Uint8Array, reply: Uint8Array): boolean {
  if (reply.length < HEADER) return false;
  const [asked, given] = [viewOf(query), viewOf(reply)];
  const flags = given.getUint16(2);
  if (given.getUint16(0) !== asked.getUint16(0) || (flags & KIND) !== ANSWER) return false;
  const [questions = 0, ...counts] = [4, 6, 8, 10].map((at) => given.getUint16(at));
  const records = counts.reduce((sum, count) => sum + count, 0);
  if (questions === 0) return records === 0 && FAILURES.includes(flags & 0xf);
  const end = (endOfName(query, HEADER) ?? query.length) + 4;
  if (questions !== 1 || !isSameQuestion(query.subarray(HEADER, end), reply.subarray(HEADER, end))) return false;
  return (flags & TRUNCATED) !== 0 || recordsAt(reply, end, records) !== undefined;
}

/** Copies the question and the identifier of a query into its answer, so that the name has the same case as in the query. */
export function asAsked(query: Uint8Array, reply: Uint8Array): Uint8Array {
  const own = Uint8Array.from(reply);
  own.set(query.subarray(0, 2), 0);
  const end = (endOfName(query, HEADER) ?? HEADER) + 4;
  if (own.length >= end && viewOf(own).getUint16(4) === 1) own.set(query.subarray(HEADER, end), HEADER);
  return own;
}

function isSameQuestion(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => lower(byte) === lower(other[at] ?? 0));
}

const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

const viewOf = (message: Uint8Array): DataView => new DataView(message.buffer, message.byteOffset, message.byteLength);
