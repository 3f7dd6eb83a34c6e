import { readFileSync } from 'node:fs';
import type { IPFamily } from '#lib/node/proxy/types.ts';

/** The IP families of the host. IPv6 may be missing or disabled. */
export function hostFamilies(): readonly IPFamily[] {
  try {
    readFileSync('/proc/net/if_inet6');
    const isDisabled = readFileSync('/proc/sys/net/ipv6/conf/all/disable_ipv6', 'utf8').trim() === '1';
    return isDisabled ? ['IPv4'] : ['IPv4', 'IPv6'];
  } catch {
    return ['IPv4']; // a kernel without IPv6
  }
}
