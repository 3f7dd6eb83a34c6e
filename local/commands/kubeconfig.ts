import { type Command, InvalidArgumentError, Option } from 'commander';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { clusterId } from './token.ts';

interface KubeconfigFlags {
  readonly server: string;
  readonly clusterId: string;
  readonly region?: string;
  readonly command: string;
}

/** Adds `kubeconfig`, which prints a kubeconfig that authenticates with `davit token`. */
export function kubeconfigCommand(command: Command): void {
  command
    .command('kubeconfig')
    .description('print a kubeconfig for a control plane in AWS, which authenticates with davit token')
    .requiredOption('--server <url>', 'the endpoint that the deployment printed', serverUrl)
    .option('--cluster-id <name>', 'the cluster id that tokens are valid for', clusterId, 'davit')
    .option('--region <name>', 'the region of STS; default: that of your profile')
    .addOption(new Option('--command <path>', 'the command that prints a token').default('davit'))
    .action((flags: KubeconfigFlags) => void process.stdout.write(cloudKubeconfig(flags)));
}

/** Parses a flag whose value is a server's URL. Throws InvalidArgumentError. */
export function serverUrl(text: string): string {
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:')
    throw new InvalidArgumentError('A server is an https URL.');
  return text;
}

/** A kubeconfig as YAML. */
function cloudKubeconfig({ server, clusterId: name, region, command }: KubeconfigFlags): string {
  const args = ['token', '--cluster-id', name, ...(region === undefined ? [] : ['--region', region])];
  return kubeconfigOf({ name, server, user: { exec: { command, args } } });
}
