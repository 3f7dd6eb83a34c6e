import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Answer, decode } from 'dns-packet';

/** Queries a server on this machine over UDP. Repeats the query after a second without a response. */
export async function askByUdp(port: number, message: Uint8Array): Promise<Buffer> {
  const socket = createSocket('udp4');
  const again = setInterval(() => socket.send(message, port, '127.0.0.1'), 1_000);
  try {
    socket.send(message, port, '127.0.0.1');
    const [answer] = await once(socket, 'message');
    return answer instanceof Buffer ? answer : Buffer.alloc(0);
  } finally {
    clearInterval(again);
    socket.close();
  }
}

/** Queries on a separate TCP connection. A missing response is empty. */
export async function askByTcp(port: number, message: Uint8Array): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  socket.write(Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message]));
  let held = Buffer.alloc(0);
  for await (const chunk of socket) {
    held = Buffer.concat([held, Buffer.from(chunk)]);
    if (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) break;
  }
  socket.destroy();
  return held.subarray(2);
}

/** A response with sorted records and without the serial of its zone. Names keep their case. */
export interface Compared {
  readonly rcode: number;
  /** Those of the flags AA, TC, RD, AD and CD that are set. RA is a separate field. */
  readonly flags: string;
  readonly isDnssec: boolean;
  readonly answers: readonly string[];
  readonly authority: readonly string[];
  readonly additional: readonly string[];
}

const FLAGS = [
  ['AA', 0x0400],
  ['TC', 0x0200],
  ['RD', 0x0100],
  ['AD', 0x0020],
  ['CD', 0x0010],
] as const;

/** Decodes a response for a comparison. Records of a truncated response are omitted. */
export function compared(message: Buffer): Compared {
  const { answers = [], authorities = [], additionals = [], flag_tc } = decode(message);
  const opt = additionals.find(({ type }) => type === 'OPT');
  const extended = opt !== undefined && 'extendedRcode' in opt ? opt.extendedRcode : 0;
  const bits = message.readUInt16BE(2);
  return {
    rcode: (bits & 15) | (extended << 4),
    flags: FLAGS.flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : name)).join(' '),
    isDnssec: opt !== undefined && 'flag_do' in opt && opt.flag_do,
    answers: flag_tc ? [] : lines(answers),
    authority: flag_tc ? [] : lines(authorities),
    additional: flag_tc ? [] : lines(additionals),
  };
}

const lines = (records: readonly Answer[]): string[] =>
  records.flatMap((record) => (record.type === 'OPT' ? [] : lineOf(record))).toSorted();

function lineOf(record: Exclude<Answer, { type: 'OPT' }>): string {
  const data = record.type === 'SOA' ? { ...record.data, serial: 0 } : 'data' in record ? record.data : '';
  return `${record.name} ${'ttl' in record ? record.ttl : ''} ${record.type} ${JSON.stringify(data).replaceAll('"', '')}`;
}
