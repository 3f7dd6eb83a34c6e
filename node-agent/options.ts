import { Command, InvalidArgumentError, Option } from 'commander';
import { hostname } from 'node:os';
import { ipFamily } from '#lib/registry/kinds/shared/ip.ts';

/** The settings of an agent. */
export interface AgentOptions {
  /** Used while there is no kubeconfig; absent: there has to be one. */
  readonly bootstrapKubeconfig?: string;
  /** Where the kubeconfig of the node's own certificate is, or will be. */
  readonly kubeconfig: string;
  readonly rootDir: string;
  readonly node: string;
  readonly nodeIPs: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** 0 logs faults and changes of state, 2 and more each step. */
  readonly verbosity: number;
}

/** Reads the flags, the kubelet's. Prints help or a fault and ends the process where it has to. */
export function readOptions(args: readonly string[]): AgentOptions {
  const flags = agentCommand().parse(args, { from: 'user' }).opts<Flags>();
  return {
    ...(flags.bootstrapKubeconfig === undefined ? {} : { bootstrapKubeconfig: flags.bootstrapKubeconfig }),
    kubeconfig: flags.kubeconfig,
    rootDir: flags.rootDir,
    node: (flags.hostnameOverride ?? hostname()).trim().toLowerCase(),
    nodeIPs: flags.nodeIp,
    labels: flags.nodeLabels,
    verbosity: flags.v,
  };
}

interface Flags {
  readonly bootstrapKubeconfig?: string;
  readonly kubeconfig: string;
  readonly rootDir: string;
  readonly hostnameOverride?: string;
  readonly nodeIp: readonly string[];
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly v: number;
}

/** The command line. */
export const agentCommand = (): Command =>
  new Command('davit-node-agent')
    .description('Joins this machine to a Davit control plane as a node. It dials out only and needs no open port.')
    .option(
      '--bootstrap-kubeconfig <file>',
      'kubeconfig with a bootstrap token, used until this node has a certificate',
    )
    .option(
      '--kubeconfig <file>',
      'kubeconfig of this node; written when it joins',
      '/var/lib/davit-node-agent/kubeconfig',
    )
    .option('--root-dir <folder>', 'folder for certificates and state', '/var/lib/davit-node-agent')
    .option('--hostname-override <name>', "name of the node instead of the machine's host name")
    .addOption(
      new Option('--node-ip <addresses>', 'IP address of the node, or one of each family')
        .argParser(addresses)
        .default([], 'the address of the default route'),
    )
    .addOption(
      new Option('--node-labels <labels>', 'labels to register the node with: key=value,…')
        .argParser(labels)
        .default({}, 'none'),
    )
    .addOption(new Option('--v <level>', 'verbosity of the log').argParser(level).default(0));

function addresses(text: string): readonly string[] {
  const all = text.split(',').map((address) => address.trim());
  const families = all.map(ipFamily);
  if (families.includes(undefined)) throw new InvalidArgumentError('It is an IP address.');
  if (all.length > 2 || (all.length === 2 && families[0] === families[1]))
    throw new InvalidArgumentError('It is one address, or one of each IP family.');
  return all;
}

function labels(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key, value] = /^\s*([^=\s]+)=([^=\s]*)\s*$/.exec(pair) ?? [];
      if (key === undefined || value === undefined)
        throw new InvalidArgumentError('Labels are key=value, separated by commas.');
      return [key, value];
    }),
  );
}

function level(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}
