import { parseIP } from '#lib/machinery/validation/ip.ts';
import type { ClusterNames } from './cluster-names.ts';
import { find, type Found } from './find.ts';
import { parseName } from './parse-name.ts';
import { RECORD_TYPES, type Answer, type DnsRecord, type Question, type Rcode, type RecordData } from './record.ts';
import { reversedAddress } from './reverse.ts';

/** The version of the names (https://github.com/kubernetes/dns/blob/master/docs/specification.md). */
const SCHEMA_VERSION = '1.1.0';
const VERSION_TTL = 28_800;
/** Seconds that a resolver may keep an answer, one that denies among them (CoreDNS' default). */
const TTL = 5;
/** Names that follow each other by CNAME at most (CoreDNS). */
const MAX_CHAIN = 10;

/** The answers of a zone: by itself, by the servers of the host, or by them for the target of an alias whose record comes first. */
export type ZoneAnswer =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'forward' }
  | { readonly kind: 'alias'; readonly answers: readonly DnsRecord[]; readonly target: string };

/** The settings of a zone. */
export interface ZoneSettings {
  /** The cluster's domain, in lower case, without the dot at the end: `cluster.local`. */
  readonly domain: string;
  /** The addresses of the server, at the name `ns.dns.DOMAIN`. */
  readonly servers: readonly string[];
  /** The version of what the zone tells, as of now. */
  serial(): number;
  /** Whether all objects are there: before, a name that is not found is a failure of the server. */
  isSynced(): boolean;
}

/** Answers for the names of a cluster, as CoreDNS with `kubernetes DOMAIN in-addr.arpa ip6.arpa { pods insecure; fallthrough for the reverse zones }`. */
export class ClusterZone {
  readonly #names: ClusterNames;
  readonly #settings: ZoneSettings;

  constructor(names: ClusterNames, settings: ZoneSettings) {
    this.#names = names;
    this.#settings = settings;
  }

  /** Answers a question of the class IN. */
  answer({ name, type }: Question): ZoneAnswer {
    const { domain } = this.#settings;
    const asked = name.toLowerCase();
    if (type === RECORD_TYPES.PTR) return this.#reverse(name, asked);
    if (asked !== domain && !asked.endsWith(`.${domain}`)) return { kind: 'forward' };
    const relative = asked === domain ? '' : asked.slice(0, -domain.length - 1);
    if (relative === '') return this.#apex(name, type);
    if (relative === 'dns-version' && type === RECORD_TYPES.TXT)
      return answered([{ name, ttl: VERSION_TTL, data: { type: 'TXT', text: SCHEMA_VERSION } }]);
    if (relative === 'ns.dns') return this.#records(name, type, this.#serverAddresses());
    const parsed = parseName(relative);
    const found = parsed && find(this.#names, parsed);
    if (found === undefined) return this.#denied('NXDOMAIN');
    if (type === RECORD_TYPES.SRV) return this.#services(name, found);
    const [first] = found;
    if (first !== undefined && 'alias' in first) return this.#alias(name, type, first.alias);
    if (type === RECORD_TYPES.TXT && found.length === 0) return this.#denied('NXDOMAIN'); // as CoreDNS
    return this.#records(name, type, found);
  }

  #apex(name: string, type: number): ZoneAnswer {
    if (type === RECORD_TYPES.SOA) return answered([this.#soa()]);
    if (type !== RECORD_TYPES.NS) return this.#denied('NOERROR');
    const target = `ns.dns.${this.#settings.domain}`;
    const additional = this.#serverAddresses().map(({ address }) => addressRecord(target, address));
    return answered([{ name, ttl: TTL, data: { type: 'NS', target } }], additional);
  }

  #serverAddresses() {
    return this.#settings.servers.map((address) => ({ address, port: undefined, target: 'ns.dns' }));
  }

  #records(name: string, type: number, found: readonly Found[]): ZoneAnswer {
    const addresses = new Set(found.flatMap((one) => ('address' in one ? [one.address] : [])));
    const records = [...addresses].map((address) => addressRecord(name, address));
    const wanted = records.filter(({ data }) => RECORD_TYPES[data.type] === type);
    return wanted.length === 0 ? this.#denied('NOERROR') : answered(wanted);
  }

  #services(name: string, found: readonly Found[]): ZoneAnswer {
    const { domain } = this.#settings;
    const reached = found.flatMap((one) => ('address' in one ? [one] : []));
    const weight = Math.max(1, Math.floor(100 / reached.length));
    const services = new Map<string, DnsRecord>();
    const addresses = new Map<string, DnsRecord>();
    for (const { address, port, target: relative } of reached) {
      if (port === undefined) continue;
      const target = `${relative}.${domain}`;
      const data: RecordData = { type: 'SRV', priority: 0, weight, port, target };
      if (!services.has(`${target} ${port}`)) services.set(`${target} ${port}`, { name, ttl: TTL, data });
      addresses.set(`${target} ${address}`, addressRecord(target, address));
    }
    return services.size === 0 ? this.#denied('NOERROR') : answered([...services.values()], [...addresses.values()]);
  }

  /** Follows aliases as long as they stay in the domain. One that leads round, or to nothing, has no records. */
  #alias(name: string, type: number, target: string): ZoneAnswer {
    const { domain } = this.#settings;
    const chain: DnsRecord[] = [];
    const seen = new Set([name.toLowerCase()]);
    let [owner, next] = [name, target];
    for (;;) {
      const lower = next.toLowerCase().replace(/\.$/, '');
      if (seen.has(lower) || chain.length > MAX_CHAIN) return this.#denied('NOERROR');
      seen.add(lower);
      chain.push({ name: owner, ttl: TTL, data: { type: 'CNAME', target: lower } });
      if (type === RECORD_TYPES.CNAME) return answered(chain);
      if (type !== RECORD_TYPES.A && type !== RECORD_TYPES.AAAA && type !== RECORD_TYPES.TXT)
        return this.#denied('NOERROR');
      if (lower !== domain && !lower.endsWith(`.${domain}`)) return { kind: 'alias', answers: chain, target: lower };
      const parsed = parseName(lower.slice(0, -domain.length - 1));
      const [first, ...rest] = (parsed && find(this.#names, parsed)) ?? [];
      if (first === undefined) return this.#denied('NOERROR');
      if ('address' in first) {
        const end = this.#records(lower, type, [first, ...rest]);
        if (end.kind !== 'answer' || end.answer.answers.length === 0) return this.#denied('NOERROR');
        return answered([...chain, ...end.answer.answers]);
      }
      [owner, next] = [lower, first.alias];
    }
  }

  #reverse(name: string, asked: string): ZoneAnswer {
    const { domain } = this.#settings;
    const address = reversedAddress(asked);
    if (address === undefined) {
      const isOurs = asked === domain || asked.endsWith(`.${domain}`);
      return isOurs ? this.answer({ name, type: 0 }) : { kind: 'forward' };
    }
    const service = this.#names.serviceAt(address);
    const keys = service === undefined ? this.#names.endpointsAt(address) : [{ service, host: undefined }];
    const targets = keys.map(({ service: key, host }) => {
      const path = `${key.split('/').toReversed().join('.')}.svc.${domain}`;
      return host === undefined ? path : `${host}.${path}`;
    });
    if (targets.length === 0) return this.#settings.isSynced() ? { kind: 'forward' } : this.#denied('SERVFAIL');
    return answered([...new Set(targets)].map((target) => ({ name, ttl: TTL, data: { type: 'PTR', target } })));
  }

  #denied(rcode: Rcode): ZoneAnswer {
    const said = rcode === 'NXDOMAIN' && !this.#settings.isSynced() ? 'SERVFAIL' : rcode;
    return { kind: 'answer', answer: { rcode: said, answers: [], authority: [this.#soa()], additional: [] } };
  }

  #soa(): DnsRecord {
    const { domain, serial } = this.#settings;
    const names = { mname: `ns.dns.${domain}`, rname: `hostmaster.${domain}` };
    return { name: domain, ttl: TTL, data: { type: 'SOA', ...names, serial: serial(), minimum: TTL } };
  }
}

const answered = (answers: readonly DnsRecord[], additional: readonly DnsRecord[] = []): ZoneAnswer => ({
  kind: 'answer',
  answer: { rcode: 'NOERROR', answers, authority: [], additional },
});

function addressRecord(name: string, text: string): DnsRecord {
  const address = parseIP(text)?.bytes ?? [];
  return { name, ttl: TTL, data: { type: address.length === 4 ? 'A' : 'AAAA', address } };
}
