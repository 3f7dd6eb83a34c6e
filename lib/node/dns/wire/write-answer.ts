import { type Answer, type DnsRecord, RCODES, RECORD_TYPES, type RecordData } from '../record.ts';
import type { Query, Unreadable } from './read-query.ts';

const HEADER = 12;
const OPT = 41;
const OPT_SIZE = 11;
const CLASS_IN = 1;
const FLAGS = {
  response: 0x8000,
  authoritative: 0x0400,
  truncated: 0x0200,
  available: 0x0080,
};
/** The maximum offset of a pointer of two bytes (RFC 1035 4.1.4). */
const MAX_POINTER = 0x3fff;
/** The size that the server accepts with UDP. */
const SERVER_SIZE = 1232;
const MAX_MESSAGE = 65_535;
/** A size in bytes that exceeds that of any record. The largest is an SOA record with three names of 255 bytes. */
const MAX_RECORD = 1024;
/** The times in seconds in the SOA record of answers (CoreDNS). */
const SOA_TIMES = { refresh: 7200, retry: 1800, expire: 86_400 } as const;

/**
 * Writes an answer with compressed names. Records at the end are dropped if it is larger than `maxSize`. If answer or authority records are
 * lost, the TC bit is set, so that the client retries with TCP. Throws RangeError for a name that cannot be written.
 */
export function writeAnswer(query: Query, answer: Answer, maxSize = query.maxSize): Uint8Array {
  const writer = new Writer(query, Math.min(maxSize, MAX_MESSAGE) - (query.edns === undefined ? 0 : OPT_SIZE));
  const answers = writer.records(answer.answers);
  const authority = answers === answer.answers.length ? writer.records(answer.authority) : 0;
  const additional = answers === answer.answers.length ? writer.records(answer.additional) : 0;
  const isTruncated = answers < answer.answers.length || authority < answer.authority.length;
  if (query.edns !== undefined) writer.opt(RCODES[answer.rcode] >> 4, query.edns.isDnssec);
  const flags =
    FLAGS.response |
    query.flags |
    (answer.isAuthoritative ? FLAGS.authoritative : 0) |
    FLAGS.available |
    (isTruncated ? FLAGS.truncated : 0) |
    (RCODES[answer.rcode] & 0xf);
  return writer.message([query.id, flags, 1, answers, authority, additional + (query.edns === undefined ? 0 : 1)]);
}

/** An answer without records and with the TC bit, which makes the client retry with TCP. */
export function writeTruncated(query: Query): Uint8Array {
  const writer = new Writer(query, query.rawQuestion.length + HEADER);
  if (query.edns !== undefined) writer.opt(0, query.edns.isDnssec);
  const flags = FLAGS.response | query.flags | FLAGS.available | FLAGS.truncated;
  return writer.message([query.id, flags, 1, 0, 0, query.edns === undefined ? 0 : 1]);
}

/** The answer to a message that is not a query: only its header. Undefined for a message that gets no answer. */
export function writeRefusal({ id, flags, rcode }: Unreadable): Uint8Array | undefined {
  if (rcode === undefined) return undefined;
  const message = new Uint8Array(HEADER);
  const view = new DataView(message.buffer);
  view.setUint16(0, id);
  view.setUint16(2, FLAGS.response | flags | RCODES[rcode]);
  return message;
}

/** Writes into one array. A record that exceeds the limit is written completely before it is removed again. */
class Writer {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #most: number;
  /** The offsets of names and name suffixes that are already written. */
  readonly #names = new Map<string, number>();
  #end: number;

  constructor(query: Query, most: number) {
    this.#bytes = new Uint8Array(most + OPT_SIZE + MAX_RECORD);
    this.#view = new DataView(this.#bytes.buffer);
    this.#bytes.set(query.rawQuestion, HEADER);
    this.#end = HEADER + query.rawQuestion.length;
    this.#most = most;
    this.#note(query.question.name, HEADER);
  }

  /** Writes as many records as fit. Returns their number. */
  records(records: readonly DnsRecord[]): number {
    for (const [index, record] of records.entries()) {
      const before = this.#end;
      this.#record(record);
      if (this.#end <= this.#most) continue;
      this.#end = before;
      for (const [name, at] of this.#names) if (at >= before) this.#names.delete(name);
      return index;
    }
    return records.length;
  }

  opt(extendedRcode: number, isDnssec: boolean): void {
    this.#byte(0);
    this.#uint16(OPT, SERVER_SIZE, extendedRcode << 8, isDnssec ? 0x8000 : 0, 0);
  }

  message(header: readonly number[]): Uint8Array {
    for (const [index, value] of header.entries()) this.#view.setUint16(index * 2, value);
    return this.#bytes.slice(0, this.#end); // not a view, which would retain the buffer of a whole message
  }

  #record({ name, ttl, data }: DnsRecord): void {
    this.#name(name);
    this.#uint16(RECORD_TYPES[data.type], CLASS_IN);
    this.#uint32(ttl);
    const at = this.#end;
    this.#end += 2;
    this.#data(data);
    this.#view.setUint16(at, this.#end - at - 2);
  }

  #data(data: RecordData): void {
    switch (data.type) {
      case 'A':
      case 'AAAA':
        this.#set(data.address);
        return;
      case 'TXT': {
        const text = Buffer.from(data.text).subarray(0, 255);
        this.#byte(text.length);
        this.#set(text);
        return;
      }
      case 'SRV':
        this.#uint16(data.priority, data.weight, data.port);
        this.#name(data.target, false); // RFC 2782: not compressed
        return;
      case 'SOA':
        this.#name(data.mname);
        this.#name(data.rname);
        this.#uint32(data.serial, SOA_TIMES.refresh, SOA_TIMES.retry, SOA_TIMES.expire, data.minimum);
        return;
      default:
        this.#name(data.target);
    }
  }

  #name(name: string, isCompressed = true): void {
    if (name.length > 253) throw new RangeError(`a name has ${name.length} bytes; 253 are the most`);
    for (let rest = name; rest !== ''; ) {
      const known = isCompressed ? this.#names.get(rest) : undefined;
      if (known !== undefined) return this.#uint16(0xc000 | known);
      this.#keep(rest, this.#end);
      const dot = rest.indexOf('.');
      const length = dot < 0 ? rest.length : dot;
      if (length === 0 || length > 63) throw new RangeError(`a label has ${length} bytes; 1 to 63 may be`);
      this.#byte(length);
      for (let i = 0; i < length; i++) this.#byte(rest.charCodeAt(i));
      rest = rest.slice(length + 1);
    }
    this.#byte(0);
  }

  #note(name: string, start: number): void {
    for (let [rest, at] = [name, start]; rest !== ''; ) {
      this.#keep(rest, at);
      const dot = rest.indexOf('.');
      if (dot < 0) return;
      [rest, at] = [rest.slice(dot + 1), at + dot + 1];
    }
  }

  #keep(name: string, at: number): void {
    if (at <= MAX_POINTER && !this.#names.has(name)) this.#names.set(name, at);
  }

  #set(bytes: ArrayLike<number>): void {
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  #byte(value: number): void {
    this.#bytes[this.#end++] = value;
  }

  #uint16(...values: number[]): void {
    for (const value of values) {
      this.#view.setUint16(this.#end, value);
      this.#end += 2;
    }
  }

  #uint32(...values: number[]): void {
    for (const value of values) {
      this.#view.setUint32(this.#end, value);
      this.#end += 4;
    }
  }
}
