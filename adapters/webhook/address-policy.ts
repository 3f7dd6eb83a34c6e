import { BlockList, isIPv4 } from 'node:net';

/** IPv4 at which clouds answer with credentials, and what is nobody's: an address and the length of its prefix. */
const IPV4: readonly (readonly [string, number])[] = [
  ['169.254.0.0', 16], // link-local; metadata of most clouds
  ['100.100.100.200', 32], // metadata, Alibaba
  ['192.0.0.192', 32], // metadata, Oracle
  ['168.63.129.16', 32], // the host's agent, Azure
  ['224.0.0.0', 4], // multicast
  ['255.255.255.255', 32],
];
const THIS_NETWORK = ['0.0.0.0', 8] as const;

/**
 * Prefixes of IPv6 addresses that end with an IPv4 address: NAT64, RFC 8215's for local use, and older translations.
 */
const TRANSLATED = ['64:ff9b::', '64:ff9b:1::', '::ffff:0:'];
/** As TRANSLATED, except that '::' and '::1' are addresses of their own. */
const COMPATIBLE = '::';

const FORBIDDEN = new BlockList();
FORBIDDEN.addSubnet('fe80::', 10, 'ipv6'); // link-local
FORBIDDEN.addSubnet('fd00:ec2::', 32, 'ipv6'); // metadata, pods' credentials, time and names, AWS
FORBIDDEN.addAddress('fd20:ce::254', 'ipv6'); // metadata, Google
FORBIDDEN.addAddress('::', 'ipv6');
FORBIDDEN.addSubnet('ff00::', 8, 'ipv6'); // multicast
for (const [address, length] of [...IPV4, THIS_NETWORK]) {
  FORBIDDEN.addSubnet(address, length, 'ipv4');
  for (const prefix of TRANSLATED) FORBIDDEN.addSubnet(prefix + address, 96 + length, 'ipv6');
  FORBIDDEN.addSubnet(`2002:${inHex(address)}::`, 16 + length, 'ipv6'); // 6to4
}
for (const [address, length] of IPV4) FORBIDDEN.addSubnet(COMPATIBLE + address, 96 + length, 'ipv6');

function inHex(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/**
 * Whether no webhook may live there, and no kubelet. IPv4 addresses written as IPv6 are looked at as what they are. Not asked whether
 * it is IPv6: that compiles a pattern which takes 7 ms of a process that begins.
 */
export const isForbidden = (address: string): boolean => FORBIDDEN.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
