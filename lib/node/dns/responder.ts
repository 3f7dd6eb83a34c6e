import type { ClusterZone } from './cluster-zone.ts';
import type { Answer, DnsRecord, Rcode } from './record.ts';
import { type Query, readQuery } from './wire/read-query.ts';
import { writeAnswer, writeRefusal, writeTruncated } from './wire/write-answer.ts';

/** The maximum size of a TCP message in bytes. */
const TCP_SIZE = 65_535;
/** The size in bytes of a UDP answer that any client accepts. */
const PLAIN_SIZE = 512;
/** The TC bit in the third byte of a message. */
const TRUNCATED = 0x02;
/** The types of zone transfers: IXFR and AXFR. */
const TRANSFERS = [251, 252];

/** The transport of a query. */
export type Transport = 'udp' | 'tcp';

/** The servers for names outside the cluster. */
export interface Upstream {
  /** Returns the unmodified answer to a message. Rejects if no server answers. */
  ask(message: Uint8Array, transport: Transport): Promise<Uint8Array>;
  /** Returns the addresses of a name and the aliases that lead to them. Rejects if no server answers, or if all answers are failures. */
  lookup(name: string, type: number): Promise<readonly DnsRecord[]>;
}

/** Answers messages. It resolves the cluster's names itself and others with the host's servers. */
export class Responder {
  readonly #zone: ClusterZone;
  readonly #upstream: Upstream;
  #turn = 0;

  constructor(zone: ClusterZone, upstream: Upstream) {
    this.#zone = zone;
    this.#upstream = upstream;
  }

  /** The answer to a message. Undefined for a message that gets none. Never rejects. */
  async respond(message: Uint8Array, transport: Transport): Promise<Uint8Array | undefined> {
    const query = readQuery(message);
    if (!('question' in query)) return writeRefusal(query);
    const maxSize = transport === 'tcp' ? TCP_SIZE : query.maxSize;
    if (!query.isInternet) return writeAnswer(query, failed('REFUSED'), maxSize);
    if (query.edns !== undefined && query.edns.version > 0) return writeAnswer(query, failed('BADVERS'), maxSize);
    if (TRANSFERS.includes(query.question.type)) return writeAnswer(query, failed('REFUSED'), maxSize);
    try {
      const found = this.#zone.answer(query.question);
      if (found.kind === 'forward') return await this.#forwarded(query, message, transport);
      const answer = found.kind === 'answer' ? found.answer : await this.#followed(query, found.answers, found.target);
      return writeAnswer(query, this.#turned(answer), maxSize);
    } catch {
      return writeAnswer(query, failed('SERVFAIL'), maxSize);
    }
  }

  /** Forwards an answer unmodified if it is complete and no larger than the client accepts. */
  async #forwarded(query: Query, message: Uint8Array, transport: Transport): Promise<Uint8Array> {
    const answer = await this.#upstream.ask(message, transport);
    if (transport === 'tcp') return answer;
    const isWhole =
      ((answer[2] ?? 0) & TRUNCATED) === 0 && answer.length <= Math.max(query.edns?.size ?? 0, PLAIN_SIZE);
    return isWhole ? answer : writeTruncated(query);
  }

  async #followed(query: Query, aliases: readonly DnsRecord[], target: string): Promise<Answer> {
    const records = await this.#upstream.lookup(target, query.question.type);
    return { ...failed('NOERROR'), isAuthoritative: true, answers: [...aliases, ...records] };
  }

  /** Rotates the addresses, because clients use the first one (CoreDNS: loadbalance). */
  #turned(answer: Answer): Answer {
    const rest = answer.answers.findIndex(({ data }) => data.type === 'A' || data.type === 'AAAA');
    if (rest < 0) return answer;
    const aliases = answer.answers.slice(0, rest);
    const addresses = answer.answers.slice(rest);
    this.#turn = (this.#turn + 1) % 0x10000;
    const by = this.#turn % addresses.length;
    return { ...answer, answers: [...aliases, ...addresses.slice(by), ...addresses.slice(0, by)] };
  }
}

const failed = (rcode: Rcode): Answer => ({
  rcode,
  isAuthoritative: false,
  answers: [],
  authority: [],
  additional: [],
});
