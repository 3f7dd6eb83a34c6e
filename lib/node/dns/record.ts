/** The numbers of record types (RFC 1035 3.2.2, RFC 3596, RFC 2782). */
export const RECORD_TYPES = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 } as const;

/** Response codes (RFC 1035 4.1.1). BADVERS does not fit into the header: its upper bits are in the OPT record (RFC 6891 6.1.3). */
export const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, BADVERS: 16 } as const;
/** The name of a response code. */
export type Rcode = keyof typeof RCODES;

/** The data of a record. Addresses are bytes. Names have no trailing dot. */
export type RecordData =
  | { readonly type: 'A' | 'AAAA'; readonly address: readonly number[] }
  | { readonly type: 'CNAME' | 'PTR' | 'NS'; readonly target: string }
  | { readonly type: 'TXT'; readonly text: string }
  | {
      readonly type: 'SRV';
      readonly priority: number;
      readonly weight: number;
      readonly port: number;
      readonly target: string;
    }
  | {
      readonly type: 'SOA';
      readonly mname: string;
      readonly rname: string;
      readonly serial: number;
      readonly minimum: number;
    };

/** A resource record. `name` has no trailing dot. `ttl` is in seconds. */
export interface DnsRecord {
  readonly name: string;
  readonly ttl: number;
  readonly data: RecordData;
}

/** A question: the queried name without the trailing dot, and the number of the type. */
export interface Question {
  readonly name: string;
  readonly type: number;
}

/** An answer. */
export interface Answer {
  readonly rcode: Rcode;
  /**
   * Whether the answer is authoritative (RFC 1035 4.1.1: AA). True for an answer of the zone, including one with an alias to a name outside
   * it.
   */
  readonly isAuthoritative: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authority: readonly DnsRecord[];
  readonly additional: readonly DnsRecord[];
}
