import { defined } from '#lib/machinery/defined.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import {
  type AnyResult,
  type Dns,
  type IPConfig,
  isLegacy,
  type LegacyIP,
  type LegacyResult,
  type Result,
  type Route,
} from './result.ts';
import { ALL_VERSIONS, isAtLeast } from './version.ts';

/**
 * Converts a result to another version of the specification (upstream: Result.GetAsVersion). Throws Error with libcni's message if that is
 * impossible.
 */
export function convertResult(result: AnyResult, version: string): AnyResult {
  const to = version === '' ? '0.1.0' : version;
  const from = result.cniVersion;
  if (from === to) return result;
  const isKnown = (one: string): boolean => ALL_VERSIONS.some((known) => known === one);
  if (!isKnown(from) || !isKnown(to)) throw new Error(`no converter for CNI result version ${from} to ${to}`);
  const listed = isLegacy(result) ? fromLegacy(result, to) : result;
  if (!isAtLeast(to, '0.3.0')) return isLegacy(result) ? { ...result, cniVersion: to } : toLegacy(result, to);
  return isAtLeast(to, '1.0.0') ? { ...listed, cniVersion: to } : { ...toOld(listed), cniVersion: to };
}

const familyOf = (network: string): 4 | 6 => ipFamily(network.slice(0, network.indexOf('/'))) ?? 6;

function fromLegacy({ ip4, ip6, dns }: LegacyResult, cniVersion: string): Result {
  const both = [ip4, ip6].filter((one) => one !== undefined);
  return {
    cniVersion,
    interfaces: [],
    ips: both.map(({ ip, gateway }): IPConfig => ({ address: ip, ...defined({ gateway }) })),
    routes: both.flatMap(({ routes }) => routes),
    dns,
  };
}

/** The result without the interface fields that versions 0.3.0 to 0.4.0 lack. */
const toOld = (result: Result): Result => ({
  ...result,
  interfaces: result.interfaces.map(({ name, mac, sandbox }) => ({
    name,
    mac,
    sandbox,
    mtu: 0,
    socketPath: '',
    pciID: '',
  })),
});

/** Keeps the first address of each family, and the routes of each family that has one. */
function toLegacy({ ips, routes, dns }: Result, cniVersion: string): LegacyResult {
  const ofFamily = (family: 4 | 6): LegacyIP | undefined => {
    const found = ips.find(({ address }) => familyOf(address) === family);
    if (found === undefined) return undefined;
    const own = routes.filter(({ dst }) => familyOf(dst) === family);
    const { address: ip, gateway } = found;
    return {
      ip,
      ...defined({ gateway }),
      routes: own.map(({ dst, gw }): Route => ({ dst, ...defined({ gw }), numbers: {} })),
    };
  };
  const [ip4, ip6] = [ofFamily(4), ofFamily(6)];
  if (ip4 === undefined && ip6 === undefined) throw new Error('cannot convert: no valid IP addresses');
  return { cniVersion, ...defined({ ip4, ip6 }), dns };
}

/** The JSON of a result, as libcni writes it in the version of the result. */
export function encodeResult(result: AnyResult): JsonObject {
  const { cniVersion } = result;
  const dns = encodeDns(result.dns);
  // Before 1.0.0 `dns` is written even if it is empty.
  if (isLegacy(result))
    return { cniVersion, ...withoutEmpty({ ip4: encodeLegacy(result.ip4), ip6: encodeLegacy(result.ip6) }), dns };
  const isNew = isAtLeast(cniVersion, '1.0.0');
  return {
    cniVersion,
    ...withoutEmpty({
      interfaces: result.interfaces.map(({ name, ...rest }) => ({ name, ...withoutEmpty({ ...rest }) })),
      ips: result.ips.map((ip) => encodeIP(ip, isNew)),
      routes: result.routes.map(encodeRoute),
    }),
    ...((!isNew || Object.keys(dns).length > 0) && { dns }),
  };
}

const encodeIP = ({ interface: index, address, gateway }: IPConfig, isNew: boolean): JsonObject => ({
  ...(!isNew && { version: String(familyOf(address)) }),
  ...defined({ interface: index, gateway }),
  address,
});

const encodeRoute = ({ dst, gw, numbers }: Route): JsonObject => ({ dst, ...defined({ gw }), ...numbers });

const encodeLegacy = (ip: LegacyIP | undefined): JsonObject =>
  ip === undefined
    ? {}
    : { ip: ip.ip, ...defined({ gateway: ip.gateway }), ...withoutEmpty({ routes: ip.routes.map(encodeRoute) }) };

const encodeDns = ({ nameservers, domain, search, options }: Dns): JsonObject =>
  withoutEmpty({ nameservers: [...nameservers], domain, search: [...search], options: [...options] });

/** The fields as Go writes them with `omitempty`. */
function withoutEmpty(fields: Readonly<Record<string, Json>>): JsonObject {
  const isEmpty = (value: Json): boolean =>
    value === '' || value === 0 || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
