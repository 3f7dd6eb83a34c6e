import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import type { ForwardedPort } from '../nftables/proxier.ts';
import type { IPFamily } from '../types.ts';

/** A UDP flow in the kernel's connection tracking table. Addresses are in Go's form. */
export interface Flow {
  readonly source: string;
  readonly sourcePort: number;
  /** The original destination of the packet. */
  readonly destination: string;
  readonly destinationPort: number;
  /** The source of replies: the endpoint. */
  readonly replySource: string;
  readonly replySourcePort: number;
}

/** The kernel's connection tracking table. */
export interface Conntrack {
  /** Lists UDP flows whose destination was replaced. Rejects with an Error if they cannot be listed. */
  list(family: IPFamily): Promise<readonly Flow[]>;
  /** Deletes flows and ignores those that no longer exist. Rejects with an Error. */
  delete(family: IPFamily, flows: readonly Flow[]): Promise<void>;
}

/**
 * The flows to a Service that go to none of its serving endpoints. A Service without endpoints keeps its flows (upstream:
 * CleanStaleEntries).
 */
export function staleFlows(flows: readonly Flow[], ports: Iterable<ForwardedPort>): Flow[] {
  const byAddress = new Map<string, ReadonlySet<string>>();
  const byNodePort = new Map<number, ReadonlySet<string>>();
  for (const { port, endpoints } of ports) {
    const serving = new Set(endpoints.filter(({ isServing }) => isServing).map(({ text }) => text));
    if (port.protocol !== 'UDP' || serving.size === 0) continue;
    for (const address of [port.clusterIP, ...port.loadBalancerVIPs, ...port.externalIPs])
      byAddress.set(joinHostPort(address, port.number), serving);
    if (port.nodePort !== 0) byNodePort.set(port.nodePort, serving);
  }
  return flows.filter((flow) => {
    const endpoint = joinHostPort(flow.replySource, flow.replySourcePort);
    const wanted =
      byAddress.get(joinHostPort(flow.destination, flow.destinationPort)) ?? byNodePort.get(flow.destinationPort);
    return wanted !== undefined && !wanted.has(endpoint);
  });
}
