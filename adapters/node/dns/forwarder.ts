import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { type Answer, decode, encode } from 'dns-packet';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { addrFamily, parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { type DnsRecord, RECORD_TYPES } from '#lib/node/dns/record.ts';
import type { Transport, Upstream } from '#lib/node/dns/responder.ts';
import { asAsked, isReply } from '#lib/node/dns/wire/is-reply.ts';

/** Time-out in ms for a server to answer. */
const TIMEOUT = 2000;
/** Maximum number of pending queries, including those that share a request. */
const MAX_PENDING = 512;
/** Maximum number of servers tried for one query (resolv.conf: MAXNS). */
const MAX_SERVERS = 3;
const MAX_ANSWER = 65_535;
const PORT = 53;
/** Response codes that are a valid answer: NOERROR and NXDOMAIN. */
const ANSWERED = [0, 3];

/** A DNS server. `port` defaults to 53. */
export interface Nameserver {
  readonly address: string;
  readonly port?: number;
}

/**
 * Tries servers one by one until one answers, starting with the last one that answered. Each query has its own socket and random
 * identifier. Concurrent queries for the same question share one request. Otherwise many requests would make an identifier easier to guess,
 * and a server that forwards back to this one would cause an endless loop.
 */
export class Forwarder implements Upstream {
  readonly #servers: () => Promise<readonly Nameserver[]>;
  readonly #timeout: number;
  readonly #asked = new Map<string, Promise<Uint8Array>>();
  #pending = 0;
  #last: Nameserver | undefined;

  /** `servers` returns the servers for each query, because resolv.conf can change. `timeout` is in ms. */
  constructor(servers: () => Promise<readonly Nameserver[]>, timeout = TIMEOUT) {
    this.#servers = servers;
    this.#timeout = timeout;
  }

  async ask(message: Uint8Array, transport: Transport): Promise<Uint8Array> {
    if (this.#pending >= MAX_PENDING) throw new Error(`${MAX_PENDING} queries wait for other servers`);
    this.#pending++;
    try {
      return asAsked(message, await this.#once(message, transport));
    } finally {
      this.#pending--;
    }
  }

  async lookup(name: string, type: number): Promise<readonly DnsRecord[]> {
    const flags = 0x0100; // recursion desired
    const asked = type === RECORD_TYPES.AAAA ? 'AAAA' : 'A';
    const question = encode({ type: 'query', id: 0, flags, questions: [{ name, type: asked }] });
    const byUdp = decode(Buffer.from(await this.ask(question, 'udp')));
    const answer = byUdp.flag_tc ? Buffer.from(await this.ask(question, 'tcp')) : undefined;
    const { answers = [], flags: code = 0 } = answer === undefined ? byUdp : decode(answer);
    if (!ANSWERED.includes(code & 0xf)) throw new Error(`a server answers ${name} with the code ${code & 0xf}`);
    return chainFrom(name, answers);
  }

  #once(message: Uint8Array, transport: Transport): Promise<Uint8Array> {
    const key = `${transport} ${Buffer.from(message.subarray(2)).toString('latin1')}`;
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const asked = this.#askEach(message, transport).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  async #askEach(message: Uint8Array, transport: Transport): Promise<Uint8Array> {
    const own = Buffer.from(message);
    own.writeUInt16BE(randomInt(0x10000), 0);
    const servers = (await this.#servers()).slice(0, MAX_SERVERS);
    const isLast = ({ address, port }: Nameserver): number =>
      address === this.#last?.address && port === this.#last.port ? 0 : 1;
    let failure = 'resolv.conf names no other server';
    for (const server of servers.toSorted((a, b) => isLast(a) - isLast(b))) {
      try {
        const by = transport === 'udp' ? byDatagram : byConnection;
        const answer = await by(server, own, this.#timeout);
        this.#last = server;
        return answer;
      } catch (error) {
        failure = messageOfError(error);
      }
    }
    throw new Error(failure);
  }
}

function byDatagram({ address, port = PORT }: Nameserver, query: Buffer, timeout: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(addrFamily(address) === 6 ? 'udp6' : 'udp4');
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      socket.close();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error(`${address} did not answer in ${timeout} ms`))), timeout);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (answer) => {
      if (isReply(query, answer)) end(() => resolve(answer)); // the socket keeps waiting, because the invalid answer may be forged
    });
    socket.once('connect', () => socket.send(query)); // connect() would also call a callback for failures
    socket.connect(port, address);
  });
}

function byConnection({ address, port = PORT }: Nameserver, query: Buffer, timeout: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    let held = Buffer.alloc(0);
    const late = (): void => void socket.destroy(new Error(`${address} did not answer in ${timeout} ms`));
    const timer = setTimeout(late, timeout);
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new Error(`${address} closed the connection`));
    });
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      if (held.length > 2 + MAX_ANSWER) return void socket.destroy(new Error(`${address} answers too much`));
      if (held.length < 2 || held.length < 2 + held.readUInt16BE(0)) return;
      const answer = Buffer.from(held.subarray(2, 2 + held.readUInt16BE(0)));
      if (isReply(query, answer)) resolve(answer);
      socket.destroy();
    });
    socket.write(Buffer.concat([length, query]));
  });
}

/** Extracts the chain of aliases and addresses that starts at a name. A server may also send records that were not requested. */
function chainFrom(name: string, answers: readonly Answer[]): DnsRecord[] {
  const records = answers.flatMap((answer) => recordOf(answer) ?? []);
  const chain: DnsRecord[] = [];
  for (let owner = name.toLowerCase(); chain.length <= records.length; ) {
    const own = records.filter((record) => record.name.toLowerCase() === owner);
    const alias = own.find(({ data }) => data.type === 'CNAME');
    if (alias === undefined || alias.data.type !== 'CNAME') return [...chain, ...own];
    chain.push(alias);
    owner = alias.data.target.toLowerCase();
  }
  return [];
}

function recordOf(answer: Answer): DnsRecord | undefined {
  const { name } = answer;
  if (answer.type === 'CNAME') return { name, ttl: answer.ttl ?? 0, data: { type: 'CNAME', target: answer.data } };
  if (answer.type !== 'A' && answer.type !== 'AAAA') return undefined;
  const address = parseIPSloppy(answer.data);
  return address && { name, ttl: answer.ttl ?? 0, data: { type: answer.type, address: address.bytes } };
}
