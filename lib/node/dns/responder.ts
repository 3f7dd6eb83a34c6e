import type { ClusterZone } from './cluster-zone.ts';
import type { Answer, DnsRecord, Rcode } from './record.ts';
import { type Query, readQuery } from './wire/read-query.ts';
import { writeAnswer, writeRefusal, writeTruncated } from './wire/write-answer.ts';

/** Bytes of a message by TCP at most. */
const TCP_SIZE = 65_535;
/** Bytes of an answer by UDP that any client takes. */
const PLAIN_SIZE = 512;
/** The TC bit in the third byte of a message. */
const TRUNCATED = 0x02;
/** Transfers of whole zones: IXFR and AXFR. */
const TRANSFERS = [251, 252];

/** The way by which a query came. */
export type Transport = 'udp' | 'tcp';

/** The servers that know what is not of the cluster. */
export interface Upstream {
  /** The answer to a message as it is. Rejects where no server answers. */
  ask(message: Uint8Array, transport: Transport): Promise<Uint8Array>;
  /** The addresses of a name, with the aliases that lead to them. Rejects where no server answers, or only to say that it cannot. */
  lookup(name: string, type: number): Promise<readonly DnsRecord[]>;
}

/** Answers messages: for the cluster's names itself, for others by the servers of the host. */
export class Responder {
  readonly #zone: ClusterZone;
  readonly #upstream: Upstream;
  #turn = 0;

  constructor(zone: ClusterZone, upstream: Upstream) {
    this.#zone = zone;
    this.#upstream = upstream;
  }

  /** The answer to a message; undefined where it gets none. Never rejects. */
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

  /** Passes an answer on as it is, if it is whole and no larger than the client takes. */
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

  /** Clients take the first address: each answer begins with another (CoreDNS: loadbalance). */
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
