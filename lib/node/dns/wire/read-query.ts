import type { Question } from '../record.ts';
import { type RecordPlace, recordsAt } from './walk.ts';

const HEADER = 12;
const OPT = 41;
const CLASS_IN = 1;
/** The bits of a query that its answer repeats: the opcode, RD, and CD (RFC 4035 3.2.2). */
const REPEATED = 0x7910;
const OPCODE = 0x7800;
/** The size in bytes of a UDP answer without EDNS (RFC 1035 4.2.1), and the maximum with EDNS (DNS flag day 2020). */
const PLAIN_SIZE = 512;
const MAX_SIZE = 1232;

/** A parsed query. */
export interface Query {
  readonly id: number;
  /** The header bits that the answer repeats. */
  readonly flags: number;
  readonly question: Question;
  readonly isInternet: boolean;
  /** The question in its original bytes, which an answer repeats. */
  readonly rawQuestion: Uint8Array;
  readonly edns: Edns | undefined;
  /** The maximum size of a UDP answer in bytes. */
  readonly maxSize: number;
}

/** The OPT record of a query. */
export interface Edns {
  readonly version: number;
  /** The size in bytes that the client accepts with UDP. */
  readonly size: number;
  /** Whether the client requests DNSSEC signatures (DO). An answer repeats the bit (RFC 3225 3). */
  readonly isDnssec: boolean;
}

/**
 * The reason why a message cannot be answered as a query. An undefined `rcode` means no answer at all, for example to a message that is
 * itself an answer.
 */
export interface Unreadable {
  readonly id: number;
  readonly flags: number;
  readonly rcode: 'FORMERR' | 'NOTIMP' | undefined;
}

/** Parses a query with one question (RFC 1035 4.1, RFC 6891). Never throws. */
export function readQuery(message: Uint8Array): Query | Unreadable {
  if (message.length < HEADER) return { id: 0, flags: 0, rcode: undefined };
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const header = { id: view.getUint16(0), flags: view.getUint16(2) & REPEATED };
  if ((view.getUint8(2) & 0x80) !== 0) return { ...header, rcode: undefined };
  if ((header.flags & OPCODE) !== 0) return { ...header, rcode: 'NOTIMP' };
  const malformed = { ...header, rcode: 'FORMERR' } as const;
  const [questions = 0, answers = 0, authority = 0, additional = 0] = [4, 6, 8, 10].map((at) => view.getUint16(at));
  if (questions !== 1 || answers > 1 || authority > 1 || additional > 2) return malformed; // like CoreDNS
  const name = readName(message, HEADER);
  if (name === undefined || name.end + 4 > message.length) return malformed;
  const records = recordsAt(message, name.end + 4, answers + authority + additional);
  if (records === undefined) return malformed;
  const edns = readEdns(view, records.slice(answers + authority));
  return {
    ...header,
    question: { name: name.text, type: view.getUint16(name.end) },
    isInternet: view.getUint16(name.end + 2) === CLASS_IN,
    rawQuestion: message.subarray(HEADER, name.end + 4),
    edns,
    maxSize: Math.min(Math.max(edns?.size ?? PLAIN_SIZE, PLAIN_SIZE), MAX_SIZE),
  };
}

/** Reads the name of a question. No pointer is valid here, because no name precedes it. */
function readName(message: Uint8Array, start: number): { readonly text: string; readonly end: number } | undefined {
  const labels: string[] = [];
  for (let at = start; at - start < 255; ) {
    const length = message[at];
    if (length === undefined || length > 63 || at + 1 + length > message.length) return undefined;
    if (length === 0) return { text: labels.join('.'), end: at + 1 };
    const label = String.fromCharCode(...message.subarray(at + 1, at + 1 + length));
    labels.push(label.replaceAll('.', '\0')); // a dot within a label does not end the label, and no known name contains one
    at += 1 + length;
  }
  return undefined;
}

function readEdns(view: DataView, records: readonly RecordPlace[]): Edns | undefined {
  const place = records.find(({ fixed, isRoot }) => isRoot && view.getUint16(fixed) === OPT);
  if (place === undefined) return undefined;
  const { fixed } = place;
  const isDnssec = (view.getUint8(fixed + 6) & 0x80) !== 0;
  return { version: view.getUint8(fixed + 5), size: view.getUint16(fixed + 2), isDnssec };
}
