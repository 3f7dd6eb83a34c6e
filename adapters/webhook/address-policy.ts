import { BlockList, isIPv4 } from 'node:net';

/** Addresses at which clouds answer with credentials, and those that are nobody's. */
const FORBIDDEN = new BlockList();
FORBIDDEN.addSubnet('169.254.0.0', 16, 'ipv4'); // link-local; metadata of most clouds
FORBIDDEN.addSubnet('fe80::', 10, 'ipv6'); // link-local
FORBIDDEN.addSubnet('fd00:ec2::', 32, 'ipv6'); // metadata, pods' credentials, time and names, AWS
FORBIDDEN.addAddress('fd20:ce::254', 'ipv6'); // metadata, Google
FORBIDDEN.addAddress('100.100.100.200', 'ipv4'); // metadata, Alibaba
FORBIDDEN.addAddress('192.0.0.192', 'ipv4'); // metadata, Oracle
FORBIDDEN.addAddress('168.63.129.16', 'ipv4'); // the host's agent, Azure
FORBIDDEN.addSubnet('0.0.0.0', 8, 'ipv4'); // this network
FORBIDDEN.addAddress('::', 'ipv6');
FORBIDDEN.addSubnet('224.0.0.0', 4, 'ipv4'); // multicast
FORBIDDEN.addSubnet('ff00::', 8, 'ipv6');
FORBIDDEN.addAddress('255.255.255.255', 'ipv4');
for (const translated of ['64:ff9b::', '::', '::ffff:0:']) FORBIDDEN.addSubnet(`${translated}a9fe:0`, 112, 'ipv6'); // link-local by NAT64, and as of old
FORBIDDEN.addSubnet('2002:a9fe::', 32, 'ipv6'); // link-local by 6to4

/**
 * Whether no webhook may live there. IPv4 addresses written as IPv6 are looked at as what they are. Not asked whether it is IPv6: that
 * compiles a pattern which takes 7 ms of a process that begins.
 */
export const isForbidden = (address: string): boolean => FORBIDDEN.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
