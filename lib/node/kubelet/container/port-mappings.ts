import type { Container } from '#lib/api/types/core.v1.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { type PortMapping, Protocol } from '#lib/node/cri-api/generated/runtime-v1.ts';

const PROTOCOLS: ReadonlyMap<string, PortMapping['protocol']> = new Map([
  ['TCP', Protocol.TCP],
  ['UDP', Protocol.UDP],
  ['SCTP', Protocol.SCTP],
]);

/** The ports of a container for its sandbox, including those without a host port. Skips duplicate names (upstream: MakePortMappings). */
export function makePortMappings({ ports = [] }: Pick<Container, 'ports'>): PortMapping[] {
  const byName = new Map<string, PortMapping>();
  for (const { name = '', hostPort = 0, containerPort, protocol = '', hostIP = '' } of ports) {
    const family = hostIP === '' ? 'any' : ipFamily(hostIP) === 6 ? 'v6' : 'v4';
    const key = name === '' ? `${family}-${protocol}-${hostIP}:${containerPort}:${hostPort}` : name;
    if (byName.has(key)) continue;
    byName.set(key, { protocol: PROTOCOLS.get(protocol) ?? Protocol.TCP, containerPort, hostPort, hostIp: hostIP });
  }
  return [...byName.values()];
}
