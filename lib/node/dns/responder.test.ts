import type { Answer, OptAnswer, RecordType } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { ClusterZone } from './cluster-zone.ts';
import type { DnsRecord } from './record.ts';
import { Responder, type Upstream } from './responder.ts';
import { aSlice, query, read, smallCluster } from './testing.ts';

const names = smallCluster();
let isSynced = true;
const zone = new ClusterZone(names, {
  domain: 'cluster.local',
  servers: ['10.96.0.10'],
  serial: () => 42,
  isSynced: () => isSynced,
});
const external: DnsRecord = { name: 'db.example.com', ttl: 60, data: { type: 'A', address: [192, 0, 2, 1] } };
const upstream: Upstream = {
  ask: async (message) => Uint8Array.from([...message.subarray(0, 2), 0x80, 0x80, ...message.subarray(4)]),
  async lookup(name, type) {
    if (name !== 'db.example.com') throw new Error('no server answers');
    return type === 1 ? [external] : [];
  },
};
const responder = (): Responder => new Responder(zone, upstream);

/** The answer with one line each: the code, then the records of the sections. */
async function ask(name: string, type: RecordType): Promise<string[]> {
  const message = await responder().respond(query(name, type), 'tcp');
  const { rcode, answers = [], authorities = [], additionals = [] } = read(message);
  const line = (record: Answer): string => {
    const data = 'data' in record ? record.data : undefined;
    const text = record.type === 'TXT' ? String(data) : JSON.stringify(data).replaceAll('"', '');
    return `${record.name} ${record.type} ${text}`;
  };
  const denial = authorities.map((record) => `authority ${record.name} ${record.type}`);
  return [rcode, ...answers.map(line).toSorted(), ...denial, ...additionals.map((one) => `+ ${line(one)}`).toSorted()];
}

const NOTHING = ['NOERROR', 'authority cluster.local SOA'];
const UNKNOWN = ['NXDOMAIN', 'authority cluster.local SOA'];
const srv = (port: number, weight: number, target: string): string =>
  `{priority:0,weight:${weight},port:${port},target:${target}}`;

describe('the names of DNS specification 1.1', () => {
  test.each<[name: string, type: RecordType, expected: string[]]>([
    ['web.default.svc.cluster.local', 'A', ['NOERROR', 'web.default.svc.cluster.local A 10.96.0.7']],
    ['web.default.svc.cluster.local', 'AAAA', ['NOERROR', 'web.default.svc.cluster.local AAAA fd00::7']],
    ['WEB.Default.svc.cluster.LOCAL', 'A', ['NOERROR', 'WEB.Default.svc.cluster.LOCAL A 10.96.0.7']],
    ['web.default.svc.cluster.local', 'MX', NOTHING],
    ['web.default.svc.cluster.local', 'TXT', NOTHING],
    ['none.default.svc.cluster.local', 'A', UNKNOWN],
    ['web.none.svc.cluster.local', 'A', UNKNOWN],
    ['default.svc.cluster.local', 'A', NOTHING],
    ['none.svc.cluster.local', 'A', UNKNOWN],
    ['svc.cluster.local', 'A', NOTHING],
    ['cluster.local', 'A', NOTHING],
    ['other.cluster.local', 'A', UNKNOWN],
    ['a.b.c.web.default.svc.cluster.local', 'A', UNKNOWN],
    [
      'db.default.svc.cluster.local',
      'A',
      ['NOERROR', 'db.default.svc.cluster.local A 10.244.0.5', 'db.default.svc.cluster.local A 10.244.0.6'],
    ],
    ['b.db.default.svc.cluster.local', 'A', ['NOERROR', 'b.db.default.svc.cluster.local A 10.244.0.6']],
    [
      '10-244-0-5.db.default.svc.cluster.local',
      'A',
      ['NOERROR', '10-244-0-5.db.default.svc.cluster.local A 10.244.0.5'],
    ],
    ['c.db.default.svc.cluster.local', 'A', UNKNOWN],
    ['w.web.default.svc.cluster.local', 'A', ['NOERROR', 'w.web.default.svc.cluster.local A 10.244.0.8']],
    ['idle.default.svc.cluster.local', 'A', UNKNOWN],
    ['10-244-0-77.default.pod.cluster.local', 'A', ['NOERROR', '10-244-0-77.default.pod.cluster.local A 10.244.0.77']],
    ['fd00--9.default.pod.cluster.local', 'AAAA', ['NOERROR', 'fd00--9.default.pod.cluster.local AAAA fd00::9']],
    ['10-244-0-77.none.pod.cluster.local', 'A', UNKNOWN],
    ['no-address.default.pod.cluster.local', 'A', UNKNOWN],
    ['default.pod.cluster.local', 'A', NOTHING],
    ['dns-version.cluster.local', 'TXT', ['NOERROR', 'dns-version.cluster.local TXT 1.1.0']],
    ['ns.dns.cluster.local', 'A', ['NOERROR', 'ns.dns.cluster.local A 10.96.0.10']],
    [
      'cluster.local',
      'NS',
      ['NOERROR', 'cluster.local NS ns.dns.cluster.local', '+ ns.dns.cluster.local A 10.96.0.10'],
    ],
  ])('are answered: %s %s', async (name, type, expected) => {
    expect(await ask(name, type)).toEqual(expected);
  });
});

describe('SRV records', () => {
  test.each<[name: string, expected: string[]]>([
    [
      '_http._tcp.web.default.svc.cluster.local',
      [
        'NOERROR',
        `_http._tcp.web.default.svc.cluster.local SRV ${srv(80, 50, 'web.default.svc.cluster.local')}`,
        '+ web.default.svc.cluster.local A 10.96.0.7',
        '+ web.default.svc.cluster.local AAAA fd00::7',
      ],
    ],
    [
      '_http._tcp.db.default.svc.cluster.local',
      [
        'NOERROR',
        `_http._tcp.db.default.svc.cluster.local SRV ${srv(8080, 50, '10-244-0-5.db.default.svc.cluster.local')}`,
        `_http._tcp.db.default.svc.cluster.local SRV ${srv(8080, 50, 'b.db.default.svc.cluster.local')}`,
        '+ 10-244-0-5.db.default.svc.cluster.local A 10.244.0.5',
        '+ b.db.default.svc.cluster.local A 10.244.0.6',
      ],
    ],
    ['_http._udp.web.default.svc.cluster.local', UNKNOWN],
    ['_none._tcp.web.default.svc.cluster.local', UNKNOWN],
    ['outside.default.svc.cluster.local', NOTHING],
  ])('are answered for %s', async (name, expected) => {
    expect(await ask(name, 'SRV')).toEqual(expected);
  });

  test('include all ports for the name of the Service', async () => {
    const [rcode, ...records] = await ask('web.default.svc.cluster.local', 'SRV');
    expect(rcode).toBe('NOERROR');
    expect(records.filter((record) => record.includes(' SRV '))).toHaveLength(2);
  });

  test('omit endpoints without a declared port, which still have addresses', async () => {
    names.setSlice('default/idle-1', aSlice('idle', [['10.244.0.20', 'i']], []));
    expect(await ask('idle.default.svc.cluster.local', 'SRV')).toEqual(NOTHING);
    expect(await ask('idle.default.svc.cluster.local', 'A')).toEqual([
      'NOERROR',
      'idle.default.svc.cluster.local A 10.244.0.20',
    ]);
    names.removeSlice('default/idle-1');
    expect(await ask('idle.default.svc.cluster.local', 'A')).toEqual(UNKNOWN);
  });
});

describe('reverse names', () => {
  test.each<[name: string, expected: string[]]>([
    ['7.0.96.10.in-addr.arpa', ['NOERROR', '7.0.96.10.in-addr.arpa PTR web.default.svc.cluster.local']],
    ['6.0.244.10.in-addr.arpa', ['NOERROR', '6.0.244.10.in-addr.arpa PTR b.db.default.svc.cluster.local']],
    ['5.0.244.10.in-addr.arpa', ['NOERROR', '5.0.244.10.in-addr.arpa PTR 10-244-0-5.db.default.svc.cluster.local']],
    [
      `7.${'0.'.repeat(27)}0.0.d.f.ip6.arpa`,
      ['NOERROR', `7.${'0.'.repeat(27)}0.0.d.f.ip6.arpa PTR web.default.svc.cluster.local`],
    ],
    ['web.default.svc.cluster.local', NOTHING],
    ['none.default.svc.cluster.local', UNKNOWN],
  ])('are answered: %s', async (name, expected) => {
    expect(await ask(name, 'PTR')).toEqual(expected);
  });

  test("are forwarded to the host's servers for an address outside the cluster", async () => {
    const answer = await responder().respond(query('1.2.0.192.in-addr.arpa', 'PTR'), 'udp');
    expect(read(answer).id).toBe(7);
    expect(read(answer).answers).toEqual([]);
  });
});

describe('aliases', () => {
  test.each<[name: string, type: RecordType, expected: string[]]>([
    [
      'outside.default.svc.cluster.local',
      'A',
      ['NOERROR', 'db.example.com A 192.0.2.1', 'outside.default.svc.cluster.local CNAME db.example.com'],
    ],
    [
      'outside.default.svc.cluster.local',
      'CNAME',
      ['NOERROR', 'outside.default.svc.cluster.local CNAME db.example.com'],
    ],
    [
      'inside.default.svc.cluster.local',
      'A',
      [
        'NOERROR',
        'inside.default.svc.cluster.local CNAME web.default.svc.cluster.local',
        'web.default.svc.cluster.local A 10.96.0.7',
      ],
    ],
    ['round.default.svc.cluster.local', 'A', NOTHING],
    ['_http._tcp.outside.default.svc.cluster.local', 'A', UNKNOWN],
  ])('are answered: %s %s', async (name, type, expected) => {
    expect(await ask(name, type)).toEqual(expected);
  });
});

test('returns an uncached failure for an unknown name until all objects are known', async () => {
  isSynced = false;
  expect(await ask('none.default.svc.cluster.local', 'A')).toEqual(['SERVFAIL', 'authority cluster.local SOA']);
  expect(await ask('1.2.0.192.in-addr.arpa', 'PTR')).toEqual(['SERVFAIL', 'authority in-addr.arpa SOA']);
  isSynced = true;
});

test('begins each answer with another address', async () => {
  const one = responder();
  const first = async (): Promise<unknown> => {
    const [record] = read(await one.respond(query('db.default.svc.cluster.local', 'A'), 'udp')).answers ?? [];
    return record && 'data' in record ? record.data : undefined;
  };
  expect(new Set([await first(), await first()])).toEqual(new Set(['10.244.0.5', '10.244.0.6']));
});

test('truncates an answer that is too large for UDP, sets TC and sends it complete with TCP', async () => {
  const many = Array.from({ length: 100 }, (_, i) => [`10.244.1.${i}`] as const);
  names.setSlice('default/idle-1', aSlice('idle', many));
  const asked = query('idle.default.svc.cluster.local', 'A');
  const small = await responder().respond(asked, 'udp');
  expect(small?.length).toBeLessThanOrEqual(512);
  expect(read(small).flag_tc).toBe(true);
  expect(read(small).answers).toHaveLength(29);
  expect(read(await responder().respond(asked, 'tcp')).answers).toHaveLength(100);
  const edns = query('idle.default.svc.cluster.local', 'A', {
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 4096,
        flags: 0,
        flag_do: false,
        extendedRcode: 0,
        ednsVersion: 0,
        options: [],
      },
    ],
  });
  const larger = await responder().respond(edns, 'udp');
  expect(larger?.length).toBeLessThanOrEqual(1232);
  expect(read(larger).answers?.length).toBeGreaterThan(70);
  expect(read(larger).additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232 }]);
  names.removeSlice('default/idle-1');
});

describe('a message that is not a query for this server', () => {
  const plain = query('web.default.svc.cluster.local', 'A');
  const changed = (at: number, ...bytes: number[]): Uint8Array => {
    const copy = Uint8Array.from(plain);
    copy.set(bytes, at);
    return copy;
  };
  const rcodeOf = (message: Uint8Array | undefined): number | undefined => message && (message[3] ?? 0) & 15;
  test.each<[why: string, message: Uint8Array, rcode: number | undefined]>([
    ['is shorter than a header', plain.subarray(0, 11), undefined],
    ['is an answer', changed(2, 0x80), undefined],
    ['updates a zone', changed(2, 0x28), 4],
    ['asks two questions', changed(4, 0, 2), 1],
    ['has answers', changed(6, 0, 1), 1],
    ['ends within its name', plain.subarray(0, 20), 1],
    ['points into itself', changed(12, 0xc0, 12), 1],
    ['has a dot in a label', changed(14, 0x2e), 3],
    ['asks of another class', changed(plain.length - 1, 3), 5],
    ['asks for the whole zone', changed(plain.length - 3, 252), 5],
  ])('is refused or ignored if it %s', async (_, message, rcode) => {
    expect(rcodeOf(await responder().respond(message, 'udp'))).toBe(rcode);
  });

  test('never makes the server fail, whatever its bytes', async () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48_271) % 0x7fffffff);
    for (let i = 0; i < 2000; i++) {
      const copy = Uint8Array.from(plain);
      for (let j = 0; j < 3; j++) copy[random() % copy.length] = random() % 256;
      await expect(responder().respond(copy.subarray(0, random() % (copy.length + 1)), 'udp')).resolves.not.toBeNull();
    }
  });
});

describe('the header and the OPT record of an answer', () => {
  const opt = (more: Partial<OptAnswer>): OptAnswer => ({
    type: 'OPT',
    name: '.',
    udpPayloadSize: 1232,
    flags: 0,
    flag_do: false,
    extendedRcode: 0,
    ednsVersion: 0,
    options: [],
    ...more,
  });
  const answered = async (name: string, more: Parameters<typeof query>[2] = {}) =>
    read(await responder().respond(query(name, 'A', more), 'udp'));

  test('is authoritative only for the names of the cluster', async () => {
    expect(await answered('web.default.svc.cluster.local')).toMatchObject({ flag_aa: true, flag_ra: true });
    expect(await answered('none.default.svc.cluster.local')).toMatchObject({ flag_aa: true, rcode: 'NXDOMAIN' });
    expect(await answered('example.com')).toMatchObject({ flag_aa: false });
  });

  test('is not authoritative for a refusal or the failure of another server', async () => {
    const failing = new Responder(zone, { ask: () => Promise.reject(new Error('none')), lookup: upstream.lookup });
    expect(read(await failing.respond(query('example.com', 'A'), 'udp'))).toMatchObject({
      flag_aa: false,
      rcode: 'SERVFAIL',
    });
    const chaos = Uint8Array.from(query('web.default.svc.cluster.local', 'A'));
    chaos[chaos.length - 1] = 3;
    expect(read(await responder().respond(chaos, 'udp'))).toMatchObject({ flag_aa: false, rcode: 'REFUSED' });
  });

  test('repeats only the bits RD, CD and DO', async () => {
    const flags = 0x0100 | 0x0010 | 0x0020;
    const asked = { flags, additionals: [opt({ flags: 0x8000, flag_do: true })] };
    const answer = await answered('web.default.svc.cluster.local', asked);
    expect(answer).toMatchObject({ flag_rd: true, flag_cd: true, flag_ad: false, additionals: [{ flag_do: true }] });
    expect(await answered('web.default.svc.cluster.local', { flags: 0 })).toMatchObject({
      flag_rd: false,
      additionals: [],
    });
  });

  test('finds the OPT record after another record, and refuses another EDNS version', async () => {
    const before = { type: 'A', name: 'x', ttl: 1, data: '192.0.2.1' } as const;
    const answer = await answered('web.default.svc.cluster.local', { additionals: [before, opt({})] });
    expect(answer.additionals).toMatchObject([{ type: 'OPT' }]);
    const newer = await answered('web.default.svc.cluster.local', { additionals: [opt({ ednsVersion: 1 })] });
    expect(newer).toMatchObject({ answers: [], additionals: [{ type: 'OPT', extendedRcode: 1, ednsVersion: 0 }] });
  });

  test('rejects a query whose records are missing', async () => {
    const cut = query('web.default.svc.cluster.local', 'A', { additionals: [opt({})] }).subarray(0, -4);
    expect(read(await responder().respond(cut, 'udp')).rcode).toBe('FORMERR');
  });
});

describe('a forwarded answer', () => {
  const relay = (answer: Uint8Array): Responder =>
    new Responder(zone, { ask: async () => answer, lookup: upstream.lookup });
  const asked = query('example.com', 'A');
  const long = Uint8Array.from([...asked, ...new Uint8Array(600)]);

  test('is reduced to the TC bit if it is larger than the client accepts', async () => {
    const answer = await relay(long).respond(asked, 'udp');
    expect(answer?.length).toBe(asked.length);
    expect(read(answer)).toMatchObject({ id: 7, flag_tc: true, answers: [] });
    expect(await relay(long).respond(asked, 'tcp')).toBe(long);
  });

  test('loses the rest of its records if it was truncated', async () => {
    const cut = Uint8Array.from([0, 7, 0x83, 0x80, 0, 1, 0, 9, 0, 0, 0, 0, ...asked.subarray(12), 1, 2, 3]);
    expect(read(await relay(cut).respond(asked, 'udp'))).toMatchObject({ flag_tc: true, answers: [] });
  });
});
