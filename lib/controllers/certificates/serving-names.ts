import type { Node } from '#lib/api/types/core.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { canonicalIP } from '#lib/machinery/net/parse-addr.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { validateEndpointIP } from '#lib/server/registry/kinds/shared/endpoint-ip.ts';
import { SERVICE_IP } from '../bootstrap/objects.ts';
import type { RequestedNames } from './certificate-request.ts';

type Names = Pick<RequestedNames, 'dns' | 'ip'>;

/**
 * The reason why a node may not serve under these names. Undefined if it may. The names must be among the addresses in the node's status,
 * which only the node writes (NodeRestriction). A node with false addresses cannot impersonate another: loopback and link-local addresses,
 * names of Services and addresses of other nodes are refused.
 */
export function servingFault(names: Names, node: Node, nodes: readonly Node[]): string | undefined {
  const own = reachedBy(node);
  const others = nodes.filter((other) => nameOf(other) !== nameOf(node));
  const foreign = new Map(
    others.flatMap((other) => [...reachedBy(other)].map((name) => [name, nameOf(other)] as const)),
  );
  const faults = [
    ...names.dns.map((name) => [name, dnsFault(name)] as const),
    ...names.ip.map((ip) => [canonical(ip), ipFault(ip)] as const),
  ].map(([name, fault]) => {
    if (fault !== undefined) return fault;
    if (!own.has(name)) return `${name} is no address in the status of node ${nameOf(node)}`;
    return foreign.has(name) ? `${name} is an address of node ${foreign.get(name)}, too` : undefined;
  });
  return faults.find((fault) => fault !== undefined);
}

/** All names and addresses of a node. The addresses are in canonical form. */
function reachedBy({ status: { addresses = [] } }: Node): ReadonlySet<string> {
  return new Set(addresses.map(({ address }) => canonical(address)));
}

const canonical = (name: string): string => canonicalIP(name) ?? name;

/** Names that resolve to Services or to the local machine. */
const RESERVED = /^(kubernetes(\.default)?|localhost)$|\.(localhost|svc|cluster\.local)$/;

function dnsFault(name: string): string | undefined {
  if (isDNS1123Subdomain(name).length > 0 || canonicalIP(name) !== undefined) return `${name} is no DNS name of a host`;
  return RESERVED.test(name) ? `${name} is a name of Services or of every machine` : undefined;
}

function ipFault(ip: string): string | undefined {
  const [error] = validateEndpointIP(ip, FieldPath.of('ip'));
  if (error !== undefined) return `${ip} ${error.detail}`;
  return canonical(ip) === SERVICE_IP ? `${ip} is the address of the API server's Service` : undefined;
}
