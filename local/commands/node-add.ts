import { join } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import { ApiConnection, type Remote } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { isServedByFunctions } from '#lib/controllers/bootstrap/first-start.ts';
import { defined } from '#lib/machinery/defined.ts';
import { millisecondsOf } from '#lib/machinery/duration.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { makeDirectory } from '../data-directory.ts';
import { writeOwnerOnly } from '../owner-only.ts';
import { placeAt } from '../run/kubeconfig-place.ts';
import { fileFault, StartFault } from '../start-fault.ts';
import { ensureBindings } from './node-bindings.ts';
import { type JoinSettings, joinCommand, joinFiles, joinScript } from './node-files.ts';
import type { NetworkChoice } from './node-network.ts';
import { clientAuthorityOf, connectionFault, urlForOthers } from './node-server.ts';
import { issueToken } from './node-token.ts';

/** The flags of the command. */
export interface NodeAddFlags {
  /** The id of the cluster that EC2 instances join with their instance identity. */
  readonly ec2?: string;
  readonly ttl: string;
  readonly kubelet?: true;
  readonly service?: true;
  readonly network?: true;
  readonly networkPlugin?: boolean;
  readonly replace?: true;
  readonly servingCertificate: boolean;
  readonly server?: string;
  readonly directory?: string;
  readonly output?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The output of the command. */
export interface AddedNode {
  /** For standard output: a script, or, if files were written, the command line that starts the node's program. */
  readonly printed: string;
  /** Further steps for the user, one per line. */
  readonly notes: readonly string[];
}

const AGENT_DIRECTORY = '/etc/davit-node-agent';
const SELDOM = 'functions serve the API: the host renews its Lease every 60 s, and is lost after 300 s';

/** Prepares a server, reached via a kubeconfig file, for a host that joins as a node with this name. Throws StartFault, StatusError. */
export async function addNode(node: string, flags: NodeAddFlags, kubeconfig: string): Promise<AddedNode> {
  const kubelet = flags.kubelet === true;
  const remote = await verifiedServer(flags, kubeconfig);
  using connection = new ApiConnection(remote);
  const client = apiClient({ handle: (request) => connection.handle(request), userAgent: 'davit' });
  const isThere = await hasNode(client, node);
  if (isThere && flags.replace !== true)
    throw new StartFault(
      `node ${node} is there already; delete it by kubectl delete node ${node}, or let another host take its name by --replace`,
    );
  const clientAuthority = kubelet ? await clientAuthorityOf(client) : '';
  const server = flags.server ?? (await urlForOthers(client, remote));
  const made = await ensureBindings(client, {
    kubelet,
    serving: flags.servingCertificate,
    network: flags.network === true,
  });
  const expires = systemClock.now() + millisecondsOf(flags.ttl);
  const issued = await issueToken(client, node, expires);
  const { token } = issued;
  const { directory = kubelet ? '/etc/kubernetes' : AGENT_DIRECTORY, servingCertificate } = flags;
  const service = flags.service === true;
  const expiration = timeOf(expires);
  const serverAuthority = remote.caBundle;
  const joining: JoinSettings = {
    kubelet,
    service,
    node,
    server,
    serverAuthority,
    clientAuthority,
    token,
    expiration,
    directory,
    servingCertificate,
    network: networkOf(flags),
    inAccount: await isServedByFunctions(client),
  };
  const output = await given(joining, flags).catch(async (error: unknown) => {
    await issued.revoke();
    throw error;
  });
  const replaced = issued.replaced === 0 ? [] : [`an earlier token of ${node} is no longer valid`];
  const kept = isThere ? [`node ${node} stays until the host that joins takes it over`] : [];
  const seldom = joining.inAccount ? [SELDOM] : [];
  return { printed: output.printed, notes: [...made, ...replaced, ...kept, ...seldom, ...output.notes] };
}

/**
 * Prepares a server, reached via a kubeconfig file, for EC2 instances that join as nodes. Creates the bindings that they need, but no
 * token. Throws StartFault, StatusError.
 */
export async function addInstances(flags: NodeAddFlags, kubeconfig: string): Promise<AddedNode> {
  const remote = await verifiedServer(flags, kubeconfig);
  using connection = new ApiConnection(remote);
  const client = apiClient({ handle: (request) => connection.handle(request), userAgent: 'davit' });
  const server = flags.server ?? (await urlForOthers(client, remote));
  const network = flags.network === true;
  const made = await ensureBindings(client, { kubelet: false, serving: false, network });
  const joining: JoinSettings = {
    kubelet: false,
    service: flags.service === true,
    node: '',
    ...defined({ clusterId: flags.ec2 }),
    server,
    serverAuthority: remote.caBundle,
    clientAuthority: '',
    token: '',
    expiration: '',
    directory: flags.directory ?? AGENT_DIRECTORY,
    servingCertificate: false,
    network: networkOf(flags),
    inAccount: await isServedByFunctions(client),
  };
  const { printed, notes } = await given(joining, flags);
  return { printed, notes: [...made, ...(joining.inAccount ? [SELDOM] : []), ...notes] };
}

const networkOf = ({ network, networkPlugin }: NodeAddFlags): NetworkChoice => {
  if (network !== true) return 'none';
  return networkPlugin === false ? 'services' : 'all';
};

async function verifiedServer({ context }: NodeAddFlags, kubeconfig: string): Promise<Remote> {
  const { remote } = await placeAt(kubeconfig, context);
  if (remote.insecure === true)
    throw new StartFault(`${kubeconfig} does not verify the server; a node needs the certificate of its authority`);
  return remote;
}

async function hasNode(client: Client, name: string): Promise<boolean> {
  const resource = { group: '', version: 'v1', resource: 'nodes' };
  return (await client.get({ resource, namespace: '', name })) !== undefined;
}

/**
 * Prints or writes the join settings if the server is reachable at the URL that the host will use. If a flag names that URL, an unreachable
 * server only causes a warning.
 */
async function given(joining: JoinSettings, { server, output }: NodeAddFlags): Promise<AddedNode> {
  const asked = { url: joining.server, caBundle: joining.serverAuthority };
  const fault = await connectionFault(asked, joining.token === '' ? undefined : joining.token);
  if (fault !== undefined && server === undefined) throw new StartFault(fault);
  const notes = fault === undefined ? [] : [`warning: ${fault}`];
  if (output === undefined) return { printed: joinScript(joining), notes };
  await write(output, joining);
  const { node, clusterId, directory, expiration } = joining;
  const copy = `copy the files in ${output} to ${directory} of`;
  const todo =
    clusterId === undefined
      ? `${copy} the host, and run this there as root before ${expiration}; ${node} joins`
      : `${copy} each instance, and run this there as root`;
  return { printed: `${joinCommand(joining)}\n`, notes: [...notes, todo] };
}

async function write(folder: string, joining: JoinSettings): Promise<void> {
  try {
    await makeDirectory(folder);
    for (const [name, text] of Object.entries(joinFiles(joining))) await writeOwnerOnly(join(folder, name), text);
  } catch (error) {
    throw fileFault(folder, error);
  }
}
