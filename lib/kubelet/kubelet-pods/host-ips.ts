import type { Node } from '#lib/api/types/core.v1.ts';
import { addressText, parseIP, type Address } from '#lib/machinery/validation/ip.ts';

const isIPv6 = ({ bytes }: Address): boolean => bytes.length === 16;

/**
 * The addresses of a node: the first one, and the first of the other family if there is one; internal ones come before external ones
 * (upstream: GetNodeHostIPs). Throws Error for a node without an address.
 */
export function nodeHostIPs({ status }: Node): string[] {
  const { addresses = [] } = status;
  const known = ['InternalIP', 'ExternalIP'].flatMap((type) =>
    addresses.flatMap((one): Address[] => {
      const ip = one.type === type ? parseIP(one.address) : undefined;
      return ip === undefined ? [] : [ip];
    }),
  );
  const [first] = known;
  if (first === undefined) {
    const texts = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new Error(`host IP unknown; known addresses: [${texts}]`);
  }
  const other = known.find((ip) => isIPv6(ip) !== isIPv6(first));
  return [first, ...(other === undefined ? [] : [other])].map(addressText);
}

/** The addresses of a pod, one of each family at most: that of the node's first family comes first (upstream: sortPodIPs). */
export function sortPodIPs(podIPs: readonly string[], nodeIPs: readonly string[]): string[] {
  const addresses = podIPs.flatMap((text) => parseIP(text) ?? []);
  const primary = nodeIPs[0] === undefined ? undefined : parseIP(nodeIPs[0]);
  const v6First = primary !== undefined && isIPv6(primary);
  return [v6First, !v6First].flatMap((family) => {
    const found = addresses.find((ip) => isIPv6(ip) === family);
    return found === undefined ? [] : [addressText(found)];
  });
}
