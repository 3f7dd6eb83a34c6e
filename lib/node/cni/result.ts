import { defined } from '#lib/machinery/defined.ts';
import { isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseIP } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDR } from '#lib/machinery/net/parse-prefix.ts';
import { prefixText } from '#lib/machinery/net/prefix.ts';
import { decodeMap } from './decode.ts';

/** The DNS settings of a result. */
export interface Dns {
  readonly nameservers: readonly string[];
  readonly domain: string;
  readonly search: readonly string[];
  readonly options: readonly string[];
}

/** A route of a result. */
export interface Route {
  /** A network in CIDR notation. */
  readonly dst: string;
  readonly gw?: string;
  /** The numeric fields of versions 1.0.0 and newer: mtu, advmss, priority, table, scope. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** An address of a result. */
export interface IPConfig {
  /** The index of the address's interface in the result. */
  readonly interface?: number;
  /** An address with prefix length. */
  readonly address: string;
  readonly gateway?: string;
}

/** An interface of a result. Empty texts are omitted in JSON. */
export interface Interface {
  readonly name: string;
  readonly mac: string;
  readonly sandbox: string;
  readonly mtu: number;
  readonly socketPath: string;
  readonly pciID: string;
}

/** A result of version 0.3.0 or newer. */
export interface Result {
  readonly cniVersion: string;
  readonly interfaces: readonly Interface[];
  readonly ips: readonly IPConfig[];
  readonly routes: readonly Route[];
  readonly dns: Dns;
}

/** The address of one family in a result of version 0.1.0 or 0.2.0. */
export interface LegacyIP {
  readonly ip: string;
  readonly gateway?: string;
  readonly routes: readonly Route[];
}

/** A result of version 0.1.0 or 0.2.0. */
export interface LegacyResult {
  readonly cniVersion: string;
  readonly ip4?: LegacyIP;
  readonly ip6?: LegacyIP;
  readonly dns: Dns;
}

/** A result of any version. */
export type AnyResult = Result | LegacyResult;

/** Whether a result has the fields of 0.1.0 and 0.2.0. */
export const isLegacy = (result: AnyResult): result is LegacyResult => !('ips' in result);

/**
 * Parses a result of a version (upstream: create.Create). Throws Error, mostly with libcni's message, if it is invalid or of another
 * version.
 */
export function createResult(version: string, bytes: Uint8Array): AnyResult {
  if (version === '' || version === '0.1.0' || version === '0.2.0') return legacyOf(decodeMap(bytes));
  const accepted = FAMILIES.find((family) => family.includes(version));
  if (accepted === undefined) throw new Error(`unsupported CNI result version "${version}"`);
  return resultOf(decodeMap(bytes), accepted);
}

const FAMILIES = [
  ['0.3.0', '0.3.1', '0.4.0'],
  ['1.0.0', '1.1.0'],
];

function checked(raw: JsonObject, accepted: readonly string[]): string {
  const version = text(raw, 'cniVersion');
  if (accepted.includes(version)) return version;
  throw new Error(`result type supports [${accepted.join(' ')}] but unmarshalled CNIVersion is "${version}"`);
}

function legacyOf(raw: JsonObject): LegacyResult {
  const cniVersion = checked(raw, ['', '0.1.0', '0.2.0']);
  return {
    cniVersion: cniVersion === '' ? '0.1.0' : cniVersion,
    ...defined({ ip4: legacyIP(object(raw, 'ip4')), ip6: legacyIP(object(raw, 'ip6')) }),
    dns: dnsOf(object(raw, 'dns')),
  };
}

const legacyIP = (raw: JsonObject | undefined): LegacyIP | undefined =>
  raw && {
    ip: network(raw, 'ip'),
    ...defined({ gateway: address(raw, 'gateway') }),
    routes: list(raw, 'routes').map((route) => routeOf(route)),
  };

function resultOf(raw: JsonObject, accepted: readonly string[]): Result {
  const cniVersion = checked(raw, accepted);
  return {
    cniVersion,
    interfaces: list(raw, 'interfaces').map((one) => interfaceOf(one, accepted.includes('1.0.0'))),
    ips: list(raw, 'ips').map((one) => ({
      ...defined({ interface: number(one, 'interface'), gateway: address(one, 'gateway') }),
      address: network(one, 'address'),
    })),
    routes: list(raw, 'routes').map(routeOf),
    dns: dnsOf(object(raw, 'dns')),
  };
}

const interfaceOf = (raw: JsonObject, isNew: boolean): Interface => ({
  name: text(raw, 'name'),
  mac: text(raw, 'mac'),
  sandbox: text(raw, 'sandbox'),
  mtu: (isNew && number(raw, 'mtu')) || 0,
  socketPath: isNew ? text(raw, 'socketPath') : '',
  pciID: isNew ? text(raw, 'pciID') : '',
});

/** The numeric route fields. NUMBERS are kept if they are not zero, POINTERS if they are present. */
const NUMBERS = ['mtu', 'advmss', 'priority'];
const POINTERS = ['table', 'scope'];

function routeOf(raw: JsonObject): Route {
  const numbers: Record<string, number> = {};
  for (const field of [...NUMBERS, ...POINTERS]) {
    const value = number(raw, field);
    if (value !== undefined && (value !== 0 || POINTERS.includes(field))) numbers[field] = value;
  }
  return { dst: network(raw, 'dst'), ...defined({ gw: address(raw, 'gw') }), numbers };
}

const dnsOf = (raw: JsonObject = {}): Dns => ({
  nameservers: texts(raw, 'nameservers'),
  domain: text(raw, 'domain'),
  search: texts(raw, 'search'),
  options: texts(raw, 'options'),
});

const wrong = (field: string, type: string): Error => new Error(`cannot unmarshal ${field} into ${type}`);

function text(raw: JsonObject, field: string): string {
  const value = ownField(raw, field) ?? '';
  if (typeof value !== 'string') throw wrong(field, 'string');
  return value;
}

function number(raw: JsonObject, field: string): number | undefined {
  const value = ownField(raw, field) ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong(field, 'int');
  return value;
}

function items(raw: JsonObject, field: string): Json[] {
  const value = ownField(raw, field) ?? [];
  if (!Array.isArray(value)) throw wrong(field, 'list');
  return value;
}

const texts = (raw: JsonObject, field: string): string[] =>
  items(raw, field).map((value) => {
    if (typeof value !== 'string') throw wrong(field, 'list of strings');
    return value;
  });

const list = (raw: JsonObject, field: string): JsonObject[] =>
  items(raw, field).map((value) => {
    if (!isObject(value)) throw wrong(field, 'list of objects');
    return value;
  });

function object(raw: JsonObject, field: string): JsonObject | undefined {
  const value = ownField(raw, field) ?? undefined;
  if (value !== undefined && !isObject(value)) throw wrong(field, 'object');
  return value;
}

/** The address in Go's form. Undefined if absent. */
function address(raw: JsonObject, field: string): string | undefined {
  const given = text(raw, field);
  if (given === '') return undefined;
  const parsed = parseIP(given);
  if (parsed === undefined) throw new Error(`invalid IP address: ${given}`);
  return addrText(parsed);
}

/** The network in Go's form: an address with prefix length. */
function network(raw: JsonObject, field: string): string {
  const given = text(raw, field);
  const parsed = parseCIDR(given);
  if (parsed === undefined) throw new Error(`invalid CIDR address: ${given}`);
  return prefixText(parsed);
}
