import type { ClusterZone } from './cluster-zone.ts';
import type { Answer, DnsRecord, Rcode } from './record.ts';
import { readQuery, type Query } from './wire/read-query.ts';
import { writeAnswer, writeRefusal } from './wire/write-answer.ts';

/** Bytes of a message by TCP at most. */
const TCP_SIZE = 65_535;
/** Transfers of whole zones: IXFR and AXFR. */
const TRANSFERS = [251, 252];

/** The way by which a query came. */
export type Transport = 'udp' | 'tcp';

/** The servers that know what is not of the cluster. */
export interface Upstream {
  /** The answer to a message as it is. Rejects where no server answers. */
  ask(message: Uint8Array, transport: Transport): Promise<Uint8Array>;
  /** The addresses of a name, with the aliases that lead to them. Rejects where no server answers. */
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
    if (!query.isInternet || TRANSFERS.includes(query.question.type))
      return writeAnswer(query, empty('REFUSED'), maxSize);
    try {
      const found = this.#zone.answer(query.question);
      if (found.kind === 'forward') return await this.#upstream.ask(message, transport);
      const answer = found.kind === 'answer' ? found.answer : await this.#followed(query, found.answers, found.target);
      return writeAnswer(query, this.#turned(answer), maxSize);
    } catch {
      return writeAnswer(query, empty('SERVFAIL'), maxSize);
    }
  }

  async #followed(query: Query, aliases: readonly DnsRecord[], target: string): Promise<Answer> {
    const records = await this.#upstream.lookup(target, query.question.type);
    return { ...empty('NOERROR'), answers: [...aliases, ...records] };
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

const empty = (rcode: Rcode): Answer => ({ rcode, answers: [], authority: [], additional: [] });
