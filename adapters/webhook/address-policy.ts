import { BlockList, isIPv6 } from 'node:net';

/** Addresses at which clouds answer with credentials, and those that are nobody's. */
const FORBIDDEN = new BlockList();
FORBIDDEN.addSubnet('169.254.0.0', 16, 'ipv4'); // link-local; metadata of most clouds
FORBIDDEN.addSubnet('fe80::', 10, 'ipv6'); // link-local
FORBIDDEN.addAddress('fd00:ec2::254', 'ipv6'); // metadata, AWS
FORBIDDEN.addAddress('fd20:ce::254', 'ipv6'); // metadata, Google
FORBIDDEN.addAddress('100.100.100.200', 'ipv4'); // metadata, Alibaba
FORBIDDEN.addAddress('168.63.129.16', 'ipv4'); // the host's agent, Azure
FORBIDDEN.addSubnet('0.0.0.0', 8, 'ipv4'); // this network
FORBIDDEN.addAddress('::', 'ipv6');
FORBIDDEN.addSubnet('224.0.0.0', 4, 'ipv4'); // multicast
FORBIDDEN.addSubnet('ff00::', 8, 'ipv6');

/** Whether no webhook may live there. IPv4 addresses written as IPv6 are looked at as what they are. */
export const isForbidden = (address: string): boolean => FORBIDDEN.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
