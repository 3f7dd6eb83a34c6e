import { type Addr, addrOf } from '#lib/machinery/net/addr.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { mustParsePrefix } from '#lib/machinery/net/parse-prefix.ts';
import { contains } from '#lib/machinery/net/prefix.ts';

/** IPv4 networks in which clouds serve credentials, and networks without hosts. */
const IPV4 = [
  '169.254.0.0/16', // link-local; metadata of most clouds
  '100.100.100.200/32', // metadata, Alibaba
  '192.0.0.192/32', // metadata, Oracle
  '168.63.129.16/32', // the host's agent, Azure
  '224.0.0.0/4', // multicast
  '255.255.255.255/32',
];
const THIS_NETWORK = '0.0.0.0/8';
const IPV6 = [
  'fe80::/10', // link-local
  'fd00:ec2::/32', // metadata, pods' credentials, time and names, AWS
  'fd20:ce::254/128', // metadata, Google
  '::/128',
  'ff00::/8', // multicast
];

/**
 * Prefixes of IPv6 addresses that contain an IPv4 address, with its byte offset: NAT64, RFC 8215 for local use, older translations, 6to4.
 */
const TRANSLATED: readonly (readonly [string, number])[] = [
  ['64:ff9b::/96', 12],
  ['64:ff9b:1::/96', 12],
  ['::ffff:0:0:0/96', 12],
  ['2002::/16', 2],
];
/** Like TRANSLATED, except that '::' and '::1' do not contain an IPv4 address. */
const COMPATIBLE = '::/96';

/** Matches the networks of a list in this file. */
const among = (cidrs: readonly string[]): ((addr: Addr) => boolean) => {
  const networks = cidrs.map(mustParsePrefix);
  return (addr) => networks.some((network) => contains(network, addr));
};

const isForbidden4 = among([...IPV4, THIS_NETWORK]);
const isForbiddenCompatible = among(IPV4);
const isForbidden6 = among(IPV6);
const isCompatible = among([COMPATIBLE]);
const translated = TRANSLATED.map(([cidr, at]) => ({ isOf: among([cidr]), at }));

/**
 * Whether the address is forbidden for webhooks, aggregated servers and kubelets. True for text that is not an address. Loopback addresses
 * are allowed. IPv4 addresses in IPv6 form are checked as IPv4. A zone is ignored.
 */
export function isForbidden(address: string): boolean {
  const [text = ''] = address.split('%');
  const addr = parseIPSloppy(text);
  if (addr === undefined) return true;
  if (addr.family === 4) return isForbidden4(addr);
  if (isForbidden6(addr)) return true;
  const embedded = (at: number): Addr => addrOf(addr.bytes.slice(at, at + 4));
  if (isCompatible(addr)) return isForbiddenCompatible(embedded(12));
  return translated.some(({ isOf, at }) => isOf(addr) && isForbidden4(embedded(at)));
}
