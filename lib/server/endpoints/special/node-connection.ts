import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { isSimulated } from '#lib/helpers/component-helpers/node/simulated.ts';
import { serviceUnavailable, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { Target } from '#lib/server/channel/dialer.ts';
import type { Purpose } from '#lib/server/channel/grant.ts';
import type { Reader } from './connect.ts';

const NO_ROUTE = 'this server has no route to nodes';
/** Upstream's default kubelet port, for a node that reports none. */
const KUBELET_PORT = 10250;

/** The address of a node's kubelet, and how to reach it. */
export interface NodeConnection {
  readonly backends: Backends;
  readonly target: Target;
  /** `none` for a channel, because its two ends have already authenticated each other. */
  readonly tls: 'kubelet' | 'none';
}

/**
 * Returns how to reach a node's kubelet, like upstream's GetConnectionInfo. A node with a channel is reached only through the channel, and
 * only for the given purpose. Throws 404 if the node does not exist. Throws 503 if the node is simulated, the server reaches no nodes, or
 * the node's agent has neither a port nor a channel. Throws 500 if the node has no address of a preferred type.
 */
export async function nodeConnection(
  find: Reader,
  name: string,
  backends: Backends | undefined,
  purpose: Purpose,
): Promise<NodeConnection> {
  const node = await find(NODES, name, false);
  if (isSimulated(node)) throw noConnection(name, 'it is simulated, and no container runs on it');
  if (backends === undefined) throw noConnection(name, NO_ROUTE);
  const port = node.status.daemonEndpoints.kubeletEndpoint.Port;
  const kubelet = { port: port > 0 ? port : KUBELET_PORT, globalOnly: false };
  if (backends.channels?.find(name) !== undefined)
    return { backends, target: { ...kubelet, host: name, via: { node: name, purpose } }, tls: 'none' };
  if (isDavitAgent(node)) throw noConnection(name, 'its agent has no channel to this server');
  if (backends.isRouted === false) throw noConnection(name, NO_ROUTE);
  return { backends, target: { ...kubelet, host: addressOf(node, backends) }, tls: 'kubelet' };
}

/** Whether the node runs this project's agent, according to its reported version. The agent's server has no port. */
const isDavitAgent = ({ status }: Node): boolean => status.nodeInfo.kubeletVersion.includes('+davit.');

const noConnection = (name: string, why: string): Error =>
  serviceUnavailable(`no connection to node ${quote(name)}: ${why}`);

function addressOf({ status: { addresses = [] } }: Node, { preferredAddressTypes }: Backends): string {
  const preferred = preferredAddressTypes.flatMap((type) => addresses.filter((one) => one.type === type))[0];
  if (preferred !== undefined) return preferred.address;
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw unclassified(`no preferred addresses found; known addresses: [${known}]`);
}
