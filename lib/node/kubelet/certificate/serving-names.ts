import { X509Certificate } from 'node:crypto';
import type { NodeAddress } from '#lib/api/types/core.v1.ts';
import { NODE } from '#lib/controllers/certificates/signers.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';

/** The names in a node's serving certificate, sorted. */
export interface ServingNames {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
}

/** The names for a node's addresses, or undefined without an IP address (upstream: addressesToHostnamesAndIPs). */
export function servingNames(addresses: readonly NodeAddress[]): ServingNames | undefined {
  const [dns, ip] = [new Set<string>(), new Set<string>()];
  for (const { type, address } of addresses) {
    const isIP = parseIPSloppy(address) !== undefined;
    if (address === '') continue;
    if (type === 'ExternalDNS' || type === 'InternalDNS' || (type === 'Hostname' && !isIP)) dns.add(address);
    else if (isIP) ip.add(address);
  }
  return ip.size === 0 ? undefined : { dns: [...dns].sort(), ip: [...ip].sort() };
}

/** Whether a PEM certificate belongs to the node and has all these names. Additional names are permitted. */
export function hasNames(pem: string, node: string, { dns, ip }: ServingNames): boolean {
  const certificate = new X509Certificate(pem);
  const { subject } = certificate;
  return (
    subject.split('\n').includes(`CN=${NODE}${node}`) &&
    dns.every((name) => certificate.checkHost(name) !== undefined) &&
    ip.every((address) => certificate.checkIP(address) !== undefined)
  );
}
