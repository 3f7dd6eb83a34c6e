import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { decode, encode, type Answer } from 'dns-packet';
import { RECORD_TYPES, type DnsRecord } from '#lib/dns/record.ts';
import type { Transport, Upstream } from '#lib/dns/responder.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { parseIP } from '#lib/machinery/validation/ip.ts';

/** Milliseconds that a server has to answer. */
const TIMEOUT = 2000;
const MAX_PENDING = 512;
const MAX_ANSWER = 65_535;
const PORT = 53;

/** A server: `port` is 53 where it is absent. */
export interface Nameserver {
  readonly address: string;
  readonly port?: number;
}

/** Asks servers one after the other until one answers. Each query has a socket and an identifier of its own, that nobody can guess. */
export class Forwarder implements Upstream {
  readonly #servers: () => Promise<readonly Nameserver[]>;
  #pending = 0;

  /** `servers` tells them for each query, as resolv.conf may change. */
  constructor(servers: () => Promise<readonly Nameserver[]>) {
    this.#servers = servers;
  }

  async ask(message: Uint8Array, transport: Transport): Promise<Uint8Array> {
    if (this.#pending >= MAX_PENDING) throw new Error(`${MAX_PENDING} queries wait for other servers`);
    this.#pending++;
    try {
      return await this.#askEach(message, transport);
    } finally {
      this.#pending--;
    }
  }

  async lookup(name: string, type: number): Promise<readonly DnsRecord[]> {
    const asked = type === RECORD_TYPES.AAAA ? 'AAAA' : type === RECORD_TYPES.TXT ? 'TXT' : 'A';
    const flags = 0x0100; // recursion desired
    const question = encode({ type: 'query', id: 0, flags, questions: [{ name, type: asked }] });
    const byUdp = decode(Buffer.from(await this.ask(question, 'udp')));
    const { answers = [] } = byUdp.flag_tc ? decode(Buffer.from(await this.ask(question, 'tcp'))) : byUdp;
    return answers.flatMap((answer) => recordOf(answer) ?? []);
  }

  async #askEach(message: Uint8Array, transport: Transport): Promise<Uint8Array> {
    const own = Buffer.from(message);
    own.writeUInt16BE(randomInt(0x10000), 0);
    let failure = 'resolv.conf names no other server';
    for (const server of await this.#servers()) {
      try {
        const answer = await (transport === 'udp' ? byDatagram(server, own) : byConnection(server, own));
        answer.set(message.subarray(0, 2), 0);
        return answer;
      } catch (error) {
        failure = messageOfError(error);
      }
    }
    throw new Error(failure);
  }
}

/** An answer to another question, as one that somebody forged, is not taken: the socket waits on. */
const isAnswerTo = (query: Buffer, answer: Buffer): boolean => {
  if (answer.length < 12 || answer.readUInt16BE(0) !== query.readUInt16BE(0) || (answer[2] ?? 0) < 0x80) return false;
  const end = endOfQuestion(query);
  return answer.subarray(12, end).equals(query.subarray(12, end)) || answer.readUInt16BE(4) === 0;
};

function endOfQuestion(query: Buffer): number {
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) at += 1 + length;
  return at + 5;
}

function byDatagram({ address, port = PORT }: Nameserver, query: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      socket.close();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error(`${address} did not answer in ${TIMEOUT} ms`))), TIMEOUT);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (answer) => {
      if (isAnswerTo(query, answer)) end(() => resolve(answer));
    });
    socket.connect(port, address, () => socket.send(query));
  });
}

function byConnection({ address, port = PORT }: Nameserver, query: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    let held = Buffer.alloc(0);
    socket.setTimeout(TIMEOUT, () => socket.destroy(new Error(`${address} did not answer in ${TIMEOUT} ms`)));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${address} closed the connection`)));
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      if (held.length > 2 + MAX_ANSWER) return void socket.destroy(new Error(`${address} answers too much`));
      if (held.length < 2 || held.length < 2 + held.readUInt16BE(0)) return;
      const answer = Buffer.from(held.subarray(2, 2 + held.readUInt16BE(0)));
      if (isAnswerTo(query, answer)) resolve(answer);
      socket.destroy();
    });
    socket.write(Buffer.concat([length, query]));
  });
}

function recordOf(answer: Answer): DnsRecord | undefined {
  const { name } = answer;
  if (answer.type === 'CNAME') return { name, ttl: answer.ttl ?? 0, data: { type: 'CNAME', target: answer.data } };
  if (answer.type !== 'A' && answer.type !== 'AAAA') return undefined;
  const address = parseIP(answer.data);
  return address && { name, ttl: answer.ttl ?? 0, data: { type: answer.type, address: address.bytes } };
}
