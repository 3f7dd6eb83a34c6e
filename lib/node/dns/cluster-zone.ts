import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import type { ClusterNames } from './cluster-names.ts';
import { type Found, find } from './find.ts';
import { parseName } from './parse-name.ts';
import { type Place, placeOf } from './place.ts';
import { type Answer, type DnsRecord, type Question, type Rcode, RECORD_TYPES, type RecordData } from './record.ts';
import { reversedAddress } from './reverse.ts';

/** The version of the DNS schema (https://github.com/kubernetes/dns/blob/master/docs/specification.md). */
const SCHEMA_VERSION = '1.1.0';
const VERSION_TTL = 28_800;
/** The TTL of answers in seconds, including negative ones (CoreDNS' default). */
const TTL = 5;
/** The maximum length of a CNAME chain (CoreDNS). */
const MAX_CHAIN = 10;

/**
 * The answer of a zone. Either the zone answers itself, or the host's servers answer, or they resolve the target of an alias whose record
 * comes first.
 */
export type ZoneAnswer =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'forward' }
  | { readonly kind: 'alias'; readonly answers: readonly DnsRecord[]; readonly target: string };

/** The settings of a zone. */
export interface ZoneSettings {
  /** The cluster's domain in lower case and without the trailing dot: `cluster.local`. */
  readonly domain: string;
  /** The addresses of the server, served at the name `ns.dns.DOMAIN`. */
  readonly servers: readonly string[];
  /** The current serial of the zone's content. */
  serial(): number;
  /** Whether all objects have been listed. Until then, a name that is not found results in SERVFAIL. */
  isSynced(): boolean;
}

/**
 * Answers for the names of a cluster, like CoreDNS with `kubernetes DOMAIN in-addr.arpa ip6.arpa { pods insecure; fallthrough for the
 * reverse zones }`.
 */
export class ClusterZone {
  readonly #names: ClusterNames;
  readonly #settings: ZoneSettings;

  constructor(names: ClusterNames, settings: ZoneSettings) {
    this.#names = names;
    this.#settings = settings;
  }

  /** Answers a question of the class IN. */
  answer({ name, type }: Question): ZoneAnswer {
    const place = placeOf(name, this.#settings.domain);
    // The reverse zones have no TXT records. In CoreDNS, each TXT query also falls through.
    if (place === undefined || (place.isReverse && type === RECORD_TYPES.TXT)) return { kind: 'forward' };
    if (type === RECORD_TYPES.SOA) return place.below === '' ? answered([this.#soa(place)]) : this.#nothing(place);
    if (place.below === '') return this.#apex(place, type);
    if (place.below === 'ns.dns') return this.#addresses(place, type, this.#serverAddresses());
    return place.isReverse ? this.#reverse(place, type) : this.#forward(place, type);
  }

  #apex(place: Place, type: number): ZoneAnswer {
    if (type !== RECORD_TYPES.NS) return this.#nothing(place);
    const target = `ns.dns.${place.zone}`;
    const additional = this.#serverAddresses().map(({ address }) => addressRecord(target, address));
    return answered([{ name: place.name, ttl: TTL, data: { type: 'NS', target } }], additional);
  }

  #serverAddresses() {
    return this.#settings.servers.map((address) => ({ address, port: undefined, target: 'ns.dns' }));
  }

  /** Answers a reverse name. Other servers answer for an address that the cluster does not have. */
  #reverse(place: Place, type: number): ZoneAnswer {
    if (place.below === 'svc' || place.below === 'pod') return this.#nothing(place);
    const address = type === RECORD_TYPES.PTR ? reversedAddress(place.name.toLowerCase()) : undefined;
    if (address === undefined) return { kind: 'forward' };
    const targets = this.#targetsOf(address);
    if (targets.length === 0) return this.#settings.isSynced() ? { kind: 'forward' } : this.#denied(place, 'SERVFAIL');
    return answered(targets.map((target) => ({ name: place.name, ttl: TTL, data: { type: 'PTR', target } })));
  }

  #targetsOf(address: string): string[] {
    const service = this.#names.serviceAt(address);
    const keys = service === undefined ? this.#names.endpointsAt(address) : [{ service, host: undefined }];
    const targets = keys.map(({ service: key, host }) => {
      const path = `${key.split('/').toReversed().join('.')}.svc.${this.#settings.domain}`;
      return host === undefined ? path : `${host}.${path}`;
    });
    return [...new Set(targets)];
  }

  #forward(place: Place, type: number): ZoneAnswer {
    if (place.below === 'dns-version') return this.#version(place, type);
    const parsed = parseName(place.below);
    const found = parsed && find(this.#names, parsed);
    if (found === undefined) return this.#unknown(place);
    if (type === RECORD_TYPES.SRV) return this.#services(place, found);
    if (type === RECORD_TYPES.TXT && found.length === 0) return this.#unknown(place); // like CoreDNS
    const [first] = found;
    return first !== undefined && 'alias' in first
      ? this.#alias(place, type, first.alias)
      : this.#addresses(place, type, found);
  }

  #version(place: Place, type: number): ZoneAnswer {
    if (type !== RECORD_TYPES.TXT) return this.#nothing(place);
    return answered([{ name: place.name, ttl: VERSION_TTL, data: { type: 'TXT', text: SCHEMA_VERSION } }]);
  }

  #addresses(place: Place, type: number, found: readonly Found[]): ZoneAnswer {
    const records = addressRecords(place.name, type, found);
    return records.length === 0 ? this.#nothing(place) : answered(records);
  }

  #services(place: Place, found: readonly Found[]): ZoneAnswer {
    const { name, zone } = place;
    const reached = found.flatMap((one) => ('address' in one ? [one] : []));
    const weight = Math.max(1, Math.floor(100 / reached.length));
    const services = new Map<string, DnsRecord>();
    const addresses = new Map<string, DnsRecord>();
    for (const { address, port, target: relative } of reached) {
      if (port === undefined) continue;
      const target = `${relative}.${zone}`;
      const data: RecordData = { type: 'SRV', priority: 0, weight, port, target };
      if (!services.has(`${target} ${port}`)) services.set(`${target} ${port}`, { name, ttl: TTL, data });
      addresses.set(`${target} ${address}`, addressRecord(target, address));
    }
    return services.size === 0 ? this.#nothing(place) : answered([...services.values()], [...addresses.values()]);
  }

  /** Follows aliases as long as they stay in the domain. A loop or an alias without a target has no records. */
  #alias(place: Place, type: number, target: string): ZoneAnswer {
    if (type === RECORD_TYPES.CNAME) return answered([aliasRecord(place.name, target)]);
    if (type !== RECORD_TYPES.A && type !== RECORD_TYPES.AAAA) return this.#nothing(place); // like CoreDNS
    const chain: DnsRecord[] = [];
    const seen = new Set([place.name.toLowerCase()]);
    let [owner, next] = [place.name, withoutDot(target)];
    for (;;) {
      if (seen.has(next.toLowerCase()) || chain.length > MAX_CHAIN) return this.#nothing(place);
      seen.add(next.toLowerCase());
      chain.push(aliasRecord(owner, next));
      const there = placeOf(next, this.#settings.domain);
      if (there === undefined || there.isReverse) return { kind: 'alias', answers: chain, target: next };
      const [first, ...rest] = this.#found(there);
      if (first === undefined) return this.#nothing(place);
      if ('address' in first) {
        const end = addressRecords(next, type, [first, ...rest]);
        return end.length === 0 ? this.#nothing(place) : answered([...chain, ...end]);
      }
      [owner, next] = [next, withoutDot(first.alias)];
    }
  }

  #found({ below }: Place): readonly Found[] {
    if (below === 'ns.dns') return this.#serverAddresses();
    const parsed = parseName(below);
    return (parsed && find(this.#names, parsed)) ?? [];
  }

  #nothing(place: Place): ZoneAnswer {
    return this.#denied(place, 'NOERROR');
  }

  #unknown(place: Place): ZoneAnswer {
    return this.#denied(place, this.#settings.isSynced() ? 'NXDOMAIN' : 'SERVFAIL');
  }

  #denied(place: Place, rcode: Rcode): ZoneAnswer {
    return { kind: 'answer', answer: { ...NOTHING, rcode, authority: [this.#soa(place)] } };
  }

  #soa({ zone }: Place): DnsRecord {
    const names = { mname: `ns.dns.${zone}`, rname: `hostmaster.${zone}` };
    return { name: zone, ttl: TTL, data: { type: 'SOA', ...names, serial: this.#settings.serial(), minimum: TTL } };
  }
}

const NOTHING: Answer = { rcode: 'NOERROR', isAuthoritative: true, answers: [], authority: [], additional: [] };

const answered = (answers: readonly DnsRecord[], additional: readonly DnsRecord[] = []): ZoneAnswer => ({
  kind: 'answer',
  answer: { ...NOTHING, answers, additional },
});

const withoutDot = (name: string): string => name.replace(/\.$/, '');

const aliasRecord = (name: string, target: string): DnsRecord => ({
  name,
  ttl: TTL,
  data: { type: 'CNAME', target: withoutDot(target) },
});

/** The records of a type for the addresses of a name, each address once. */
function addressRecords(name: string, type: number, found: readonly Found[]): DnsRecord[] {
  const addresses = new Set(found.flatMap((one) => ('address' in one ? [one.address] : [])));
  const records = [...addresses].map((address) => addressRecord(name, address));
  return records.filter(({ data }) => RECORD_TYPES[data.type] === type);
}

function addressRecord(name: string, text: string): DnsRecord {
  const address = parseIPSloppy(text)?.bytes ?? [];
  return { name, ttl: TTL, data: { type: address.length === 4 ? 'A' : 'AAAA', address } };
}
