import type { Node } from '#lib/api/types/core.v1.ts';
import { canonicalIP, ipFamily } from '#lib/machinery/net/parse-addr.ts';

/**
 * The addresses of a node: the first one, and the first of the other family if any. Internal addresses come before external ones (upstream:
 * GetNodeHostIPs). Throws Error for a node without an address.
 */
export function nodeHostIPs({ status }: Node): string[] {
  const { addresses = [] } = status;
  const known = ['InternalIP', 'ExternalIP'].flatMap((type) =>
    addresses.flatMap((one) => (one.type === type ? (canonicalIP(one.address) ?? []) : [])),
  );
  const [first] = known;
  if (first === undefined) {
    const texts = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new Error(`host IP unknown; known addresses: [${texts}]`);
  }
  const other = known.find((ip) => ipFamily(ip) !== ipFamily(first));
  return other === undefined ? [first] : [first, other];
}

/** The addresses of a pod, at most one per family, with the node's first family first (upstream: sortPodIPs). */
export function sortPodIPs(podIPs: readonly string[], nodeIPs: readonly string[]): string[] {
  const first = ipFamily(nodeIPs[0] ?? '') ?? 4;
  return [first, first === 4 ? 6 : 4].flatMap((family) => {
    const ip = podIPs.find((one) => ipFamily(one) === family);
    return ip === undefined ? [] : [canonicalIP(ip) ?? ip];
  });
}
