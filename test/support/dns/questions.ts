import { encode, type OptAnswer, type RecordType } from 'dns-packet';
import type { Draw } from '#test/unit/differential/draw.ts';

const HEADER = 12;
const ANY = 255;
const TYPES: readonly (RecordType | 'ANY')[] = [
  'A',
  'AAAA',
  'SRV',
  'PTR',
  'TXT',
  'CNAME',
  'NS',
  'SOA',
  'MX',
  'HINFO',
  'CAA',
  'ANY',
];
const words = (text: string): string[] => text.trim().split(/\s+/);
const IPV6 = (tail: string): string =>
  `${tail}.${'0.'.repeat(32 - tail.replaceAll('.', '').length - 4)}0.0.d.f.ip6.arpa`;
const FIXED = [
  ...words(`
  cluster.local Cluster.Local svc.cluster.local pod.cluster.local dns-version.cluster.local ns.dns.cluster.local
  dns.cluster.local local example.com nothing.test 7.0.96.10.in-addr.arpa 11.0.96.10.in-addr.ARPA
  07.0.96.10.in-addr.arpa 3.0.1.10.in-addr.arpa 6.0.1.10.in-addr.arpa 5.0.1.10.in-addr.arpa 9.9.9.9.in-addr.arpa
  0.96.10.in-addr.arpa in-addr.arpa svc.in-addr.arpa default.svc.in-addr.arpa ip6.arpa
  many.default.svc.cluster.local _http._tcp.some.default.svc.cluster.local
  _http._tcp.many.default.svc.cluster.local xn--cluster.local
`),
  IPV6('3'),
  IPV6('b'),
];
const LABELS = words(`
  web plain dual six db bare idle many some svc outside inside chain round trip self nowhere server apex none
  default other kube-system nons svc pod _http _tcp _udp _dns _any http tcp * any w a b 10-1-0-2 10-1-0-6
  10-1-0-5 010-1-0-2 fd00--- fd00--3 fd00--0 --ffff-a00-1 WEB Default _HTTP _ 10-1-0 300-1-1-1 --1 host-1
`);
const SERVICES = [...LABELS.slice(0, 19), ...Array.from({ length: 12 }, (_, i) => `r${i}`)];

function aName(draw: Draw): string {
  if (draw.chance(0.15)) return draw.pick(FIXED);
  const zone = draw.chance(0.95) ? 'cluster.local' : 'Cluster.LOCAL';
  const subtree = draw.chance(0.8) ? 'svc' : draw.pick(['pod', 'SVC', 'node', 'svc']);
  const namespace = draw.chance(0.75) ? 'default' : draw.pick(LABELS);
  const known = draw.chance(0.6) ? [draw.pick(SERVICES)] : [];
  const above = draw.several(0, known.length === 0 ? 5 : 3, () => draw.pick(LABELS));
  return [...above, ...known, namespace, subtree, zone].join('.');
}

/** A question and its transport. */
export interface Asked {
  readonly name: string;
  readonly type: RecordType | 'ANY';
  /** The UDP size in bytes that the client accepts. */
  readonly edns: number | undefined;
  readonly isDnssec: boolean;
  readonly flags: number;
  readonly transport: 'udp' | 'tcp';
}

/** A question that a seed determines. */
export function aQuestion(draw: Draw): Asked {
  const type = draw.chance(0.7) ? draw.pick(TYPES.slice(0, 4)) : draw.pick(TYPES);
  return {
    name: aName(draw),
    type,
    edns: draw.pick([undefined, undefined, 100, 512, 1232]),
    isDnssec: draw.chance(0.3),
    flags: draw.pick([0x0100, 0x0100, 0, 0x0110, 0x0120]),
    transport: draw.chance(0.1) ? 'tcp' : 'udp',
  };
}

/** The message of a question. */
export function messageOf({ name, type, edns, isDnssec, flags }: Asked, id: number): Buffer {
  const opt: OptAnswer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: edns ?? 0,
    flags: isDnssec ? 0x8000 : 0,
    options: [],
    extendedRcode: 0,
    ednsVersion: 0,
    flag_do: isDnssec,
  };
  const additionals = edns === undefined ? [] : [opt];
  const message = encode({
    type: 'query',
    id,
    flags,
    questions: [{ name, type: type === 'ANY' ? 'A' : type }],
    additionals,
  });
  if (type === 'ANY') message.writeUInt16BE(ANY, HEADER + name.length + 2);
  return message;
}

/** A corrupt message: bytes are changed, removed or added, or counts are wrong. */
export function aFaultyMessage(draw: Draw, id: number): Buffer {
  const message = Buffer.from(messageOf(aQuestion(draw), id));
  for (let i = draw.between(1, 4); i > 0; i--) message[draw.between(2, message.length)] = draw.between(0, 256);
  message[2] = (message[2] ?? 0) & 0x7f; // a message that is marked as a response gets none
  if (draw.chance(0.2)) return message.subarray(0, draw.between(12, message.length));
  return draw.chance(0.2) ? Buffer.concat([message, Buffer.alloc(draw.between(1, 40), draw.between(0, 256))]) : message;
}

/** Questions in each form about the fixed objects. CoreDNS's responses to them are recorded. */
export function recordedQuestions(): Asked[] {
  const plain = { edns: undefined, isDnssec: false, flags: 0x0100, transport: 'tcp' } as const;
  const of = (types: readonly Asked['type'][], names: string): Asked[] =>
    words(names).flatMap((name) => types.map((type) => ({ ...plain, name, type })));
  const below = (names: string): string =>
    words(names)
      .map((name) => `${name}.svc.cluster.local`)
      .join(' ');
  return [
    ...of(
      ['A', 'AAAA', 'SRV', 'TXT', 'CNAME', 'PTR', 'SOA', 'NS', 'MX', 'ANY'],
      'svc.cluster.local web.default.svc.cluster.local',
    ),
    ...of(
      ['A', 'SRV', 'TXT', 'CNAME', 'SOA'],
      below('outside.default inside.default none.default db.default default nons'),
    ),
    ...of(
      ['A', 'AAAA'],
      below('chain.default round.default self.default nowhere.default apex.default bare.default idle.default'),
    ),
    ...of(
      ['A', 'AAAA', 'SRV'],
      below('a.db.default 10-1-0-5.db.default 10-1-0-6.db.default fd00--0.db.default w.web.default'),
    ),
    ...of(
      ['A', 'SRV'],
      below(
        '_http._tcp.db.default _http._udp.db.default _._tcp.web.default http.tcp.web.default a._tcp.web.default x.y.z.web.default *.default any.db.default',
      ),
    ),
    ...of(
      ['A', 'AAAA'],
      '10-1-0-2.default.pod.cluster.local 010-1-0-2.default.pod.cluster.local fd00--3.default.pod.cluster.local --ffff-a00-1.default.pod.cluster.local 10-1-0-2.nons.pod.cluster.local web.default.pod.cluster.local',
    ),
    ...of(
      ['PTR', 'A', 'SOA', 'TXT'],
      '7.0.96.10.in-addr.arpa 3.0.1.10.in-addr.arpa 5.0.1.10.in-addr.arpa in-addr.arpa ip6.arpa svc.in-addr.arpa 9.9.9.9.in-addr.arpa',
    ),
    ...of(
      ['A', 'SRV', 'SOA', 'MX'],
      'WEB.Default.SVC.Cluster.LOCAL none.default.svc.Cluster.LOCAL db.default.svc.CLUSTER.local',
    ),
    ...of(['TXT'], 'dns-version.cluster.local'),
    ...of(['A'], 'example.com nothing.test local'),
  ];
}
