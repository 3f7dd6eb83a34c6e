import type { Question } from '../record.ts';

const HEADER = 12;
const OPT = 41;
const CLASS_IN = 1;
/** Bytes of an answer by UDP without EDNS (RFC 1035 4.2.1), and with it at most (DNS flag day 2020). */
const PLAIN_SIZE = 512;
const MAX_SIZE = 1232;

/** A query that was read. */
export interface Query {
  readonly id: number;
  /** Recursion is desired. */
  readonly isRecursive: boolean;
  readonly question: Question;
  readonly isInternet: boolean;
  /** The question as it came: an answer repeats it. */
  readonly rawQuestion: Uint8Array;
  readonly hasEdns: boolean;
  /** Bytes that an answer by UDP may have. */
  readonly maxSize: number;
}

/** Why a message cannot be answered as a query. Undefined `rcode`: it gets no answer at all, as one that is itself an answer. */
export interface Unreadable {
  readonly id: number;
  readonly rcode: 'FORMERR' | 'NOTIMP' | undefined;
}

/** Reads a query of one question (RFC 1035 4.1, RFC 6891). Never throws. */
export function readQuery(message: Uint8Array): Query | Unreadable {
  if (message.length < HEADER) return { id: 0, rcode: undefined };
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const id = view.getUint16(0);
  const flags = view.getUint16(2);
  if ((flags & 0x8000) !== 0) return { id, rcode: undefined };
  if ((flags & 0x7800) !== 0) return { id, rcode: 'NOTIMP' };
  const [questions, answers, authority, additional] = [4, 6, 8, 10].map((at) => view.getUint16(at));
  if (questions !== 1 || answers !== 0 || authority !== 0) return { id, rcode: 'FORMERR' };
  const name = readName(message, HEADER);
  if (name === undefined || name.end + 4 > message.length) return { id, rcode: 'FORMERR' };
  const edns = readEdns(view, name.end + 4, additional ?? 0);
  return {
    id,
    isRecursive: (flags & 0x0100) !== 0,
    question: { name: name.text, type: view.getUint16(name.end) },
    isInternet: view.getUint16(name.end + 2) === CLASS_IN,
    rawQuestion: message.subarray(HEADER, name.end + 4),
    hasEdns: edns !== undefined,
    maxSize: Math.min(Math.max(edns ?? PLAIN_SIZE, PLAIN_SIZE), MAX_SIZE),
  };
}

/** A name in a question has nothing before it that a pointer could name. */
function readName(message: Uint8Array, start: number): { readonly text: string; readonly end: number } | undefined {
  const labels: string[] = [];
  for (let at = start; at - start < 255; ) {
    const length = message[at];
    if (length === undefined || length > 63 || at + 1 + length > message.length) return undefined;
    if (length === 0) return { text: labels.join('.'), end: at + 1 };
    const label = String.fromCharCode(...message.subarray(at + 1, at + 1 + length));
    if (label.includes('.')) return undefined; // it would read as two
    labels.push(label);
    at += 1 + length;
  }
  return undefined;
}

/** The size that an OPT record at this place tells; other records are not read. */
function readEdns(view: DataView, at: number, additional: number): number | undefined {
  if (additional === 0 || at + 11 > view.byteLength || view.getUint8(at) !== 0) return undefined;
  return view.getUint16(at + 1) === OPT ? view.getUint16(at + 3) : undefined;
}
