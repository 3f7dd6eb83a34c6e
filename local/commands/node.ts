import { type Command, InvalidArgumentError } from 'commander';
import { millisecondsOf } from '#lib/machinery/duration.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { duration } from '../flags/duration.ts';
import { StartFault } from '../start-fault.ts';
import { serverUrl } from './kubeconfig.ts';
import { kubeconfigOf } from './local-server.ts';
import type { NodeAddFlags } from './node-add.ts';
import { clusterId } from './token.ts';

/** The maximum length of a node name. A kubelet puts the name into the label kubernetes.io/hostname. */
const LONGEST_NAME = 63;
const SHORTEST_TTL = 60_000;

/** Adds `node add`, which prepares a host to join as a node. */
export function nodeCommand(command: Command): void {
  command
    .command('node')
    .description('add hosts that run pods')
    .command('add')
    .description('make the bootstrap token by which a host joins as a node, and print a script for that host')
    .argument('[name]', 'of the node, a DNS name', nodeName)
    .option(
      '--ec2 <cluster>',
      'in place of a name: hosts are EC2 instances, which join the cluster of this id by the identities of their roles',
      clusterId,
    )
    .option('--kubelet', "the host runs upstream's kubelet in place of davit-node-agent")
    .option('--service', 'have the script install davit-node-agent as a systemd service, in place of running it')
    .option(
      '--network',
      'let the agent make the network of the node: pods, Services, names of the cluster and policies',
    )
    .option('--no-network-plugin', 'with --network: leave the network of pods to another program')
    .option('--ttl <duration>', 'how long the token is valid', ttl, '24h')
    .option('--replace', 'let another host take the name of a node that is there')
    .option('--no-serving-certificate', 'let the kubelet sign its own serving certificate')
    .option(
      '--server <url>',
      "the server's URL for the host; default that of the kubeconfig, or of the Service",
      serverUrl,
    )
    .option('--directory <path>', 'where the files are on the host', hostPath)
    .option('--output <path>', 'a folder that the files are written to, in place of a script')
    .option('--kubeconfig <path>', 'of the server; default that in --data-dir')
    .option('--context <name>', 'the context of the kubeconfig; default: the current one')
    .action(async (name: string | undefined, flags: NodeAddFlags) => {
      if (flags.service === true && (flags.kubelet === true || flags.output !== undefined))
        throw new StartFault('--service is for a script of davit-node-agent: leave out --kubelet and --output');
      if (flags.network === true && flags.kubelet === true)
        throw new StartFault('--network is for davit-node-agent: leave out --kubelet');
      if (flags.networkPlugin === false && flags.network !== true)
        throw new StartFault('--no-network-plugin is for --network');
      const { addInstances, addNode } = await import('./node-add.ts');
      const kubeconfig = (): string => kubeconfigOf(command, flags.kubeconfig);
      const { printed, notes } = isOfInstances(name, flags)
        ? await addInstances(flags, kubeconfig())
        : await addNode(name ?? '', flags, kubeconfig());
      for (const note of notes) console.error(`davit: ${note}`);
      process.stdout.write(printed);
    });
}

/** Throws StartFault for flags that exclude each other, and if no flag identifies the node. */
function isOfInstances(name: string | undefined, { ec2, kubelet, replace }: NodeAddFlags): boolean {
  if (ec2 === undefined && name === undefined) throw new StartFault("missing required argument 'name', or --ec2");
  if (ec2 !== undefined && (name !== undefined || kubelet === true || replace === true))
    throw new StartFault(
      '--ec2 is for node agents, each named by its instance: leave out the name, --kubelet and --replace',
    );
  return ec2 !== undefined;
}

function nodeName(text: string): string {
  const [fault] = isDNS1123Subdomain(text);
  if (fault !== undefined) throw new InvalidArgumentError(`A node has a DNS name: ${fault}.`);
  if (text.length > LONGEST_NAME)
    throw new InvalidArgumentError(`A kubelet does not register a name of more than ${LONGEST_NAME} characters.`);
  return text;
}

function ttl(text: string): string {
  if (millisecondsOf(duration(text)) < SHORTEST_TTL) throw new InvalidArgumentError('It is one minute or more.');
  return text;
}

/** A path that needs no quotes in a shell or in YAML. */
function hostPath(text: string): string {
  if (!/^(\/[\w.-]+)+$/.test(text))
    throw new InvalidArgumentError('It is an absolute path of letters, digits, dots, dashes and underscores.');
  return text;
}
