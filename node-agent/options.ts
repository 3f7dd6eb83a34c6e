import { hostname } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { LOG_FORMATS, type LogFormat } from '#adapters/process/stderr-log.ts';
import { defined } from '#lib/machinery/defined.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { readKubeletConfiguration } from '#lib/node/kubelet/apis/config/configuration.ts';
import {
  CONFIGURATION_FLAGS,
  type ConfigurationFlag,
  FlagError,
  setByFlag,
} from '#lib/node/kubelet/apis/config/flags.ts';
import type { KubeletConfiguration } from '#lib/node/kubelet/apis/config/types.ts';
import { isClusterId } from '#lib/server/authentication/aws/presigned-url.ts';
import { configurationFiles } from './configuration-files.ts';
import { type CredentialProviderPlugins, credentialProviderPlugins } from './credential-providers.ts';
import type { LogOptions } from './log.ts';
import { addNetworkFlags, type NetworkFlags, type PodNetworkOptions, podNetworkOptions } from './network/options.ts';
import {
  addProxyFlags,
  type ProxyFlags,
  type ServiceProxySettings,
  serviceProxySettings,
} from './network/proxy-options.ts';

/** The settings of an agent. */
export interface AgentOptions extends LogOptions {
  /** Used until a kubeconfig exists. If absent, a kubeconfig must exist. */
  readonly bootstrapKubeconfig?: string;
  /** The id of the cluster that the node joins with the identity of its EC2 instance. If absent, it joins with a bootstrap token. */
  readonly ec2Identity?: string;
  /** Returns a token of that identity. `refused` is the token that the server rejected. */
  readonly bootstrapToken?: (refused?: string) => Promise<string>;
  /** The path of the kubeconfig with the node's own certificate, which may not exist yet. */
  readonly kubeconfig: string;
  readonly rootDir: string;
  /** The folder that stores the node's certificate. */
  readonly certDir: string;
  readonly node: string;
  readonly nodeIPs: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly configuration: KubeletConfiguration;
  /** The port that the node serves. If absent, it does not listen. */
  readonly kubeletPort?: number;
  /** Interval in ms between polls for changes. If absent, the server decides whether the node polls or watches. */
  readonly lookFrequency?: number;
  /** Whether the agent serves DNS at the addresses of `clusterDNS`. */
  readonly serveDNS: boolean;
  /** Whether the agent enforces network policies. */
  readonly networkPolicies: boolean;
  /** Forwards packets to Services. If absent, the agent does not forward them. */
  readonly serviceProxy?: ServiceProxySettings;
  readonly podNetwork: PodNetworkOptions;
  /** Plugins that return registry credentials. If absent, there are none. */
  readonly credentialProviders?: CredentialProviderPlugins;
  /** Warnings about settings without effect, one per line. */
  readonly warnings: readonly string[];
}

/**
 * Reads the agent's flags, the kubelet's flags, and the files that they name. Exits the process for `--help` and for an invalid flag.
 * Throws KubeletConfigurationError, or an Error if a file cannot be read.
 */
export async function readOptions(args: readonly string[]): Promise<AgentOptions> {
  const byFlag: JsonObject = {};
  const flags = agentCommand(byFlag).parse(args, { from: 'user' }).opts<Flags>();
  if (flags.ec2Identity !== undefined && flags.hostnameOverride !== undefined)
    throw new Error('--hostname-override excludes --ec2-identity: the node has the name of its instance');
  const files = await configurationFiles(flags.config, flags.configDir);
  const read = readKubeletConfiguration([...files, byFlag], { serves: flags.serve });
  const { enableServer, port } = read.configuration;
  const { imageCredentialProviderConfig: providers, imageCredentialProviderBinDir: programs } = flags;
  return {
    ...read,
    ...(flags.serve && enableServer && { kubeletPort: port }),
    ...defined({
      bootstrapKubeconfig: flags.bootstrapKubeconfig,
      ec2Identity: flags.ec2Identity,
      lookFrequency: flags.lookFrequency,
      logFormat: flags.logFormat,
      credentialProviders: await credentialProviderPlugins(providers, programs),
      serviceProxy: serviceProxySettings(flags),
    }),
    kubeconfig: flags.kubeconfig,
    rootDir: flags.rootDir,
    certDir: flags.certDir ?? `${flags.rootDir}/pki`,
    node: (flags.hostnameOverride ?? hostname()).trim().toLowerCase(),
    nodeIPs: flags.nodeIp,
    labels: flags.nodeLabels,
    serveDNS: servesDNS(flags, read.configuration),
    networkPolicies: flags.networkPolicies,
    podNetwork: podNetworkOptions(flags),
    verbosity: flags.v,
  };
}

/** Whether to serve DNS. Throws Error if no address or domain is configured for it. */
function servesDNS({ serveDns }: Flags, { clusterDNS, clusterDomain }: KubeletConfiguration): boolean {
  if (serveDns && (clusterDNS.length === 0 || clusterDomain === ''))
    throw new Error('--serve-dns needs clusterDNS and clusterDomain in the configuration');
  return serveDns;
}

interface Flags extends NetworkFlags, ProxyFlags {
  readonly bootstrapKubeconfig?: string;
  readonly ec2Identity?: string;
  readonly kubeconfig: string;
  readonly config?: string;
  readonly configDir?: string;
  readonly rootDir: string;
  readonly certDir?: string;
  readonly hostnameOverride?: string;
  readonly nodeIp: readonly string[];
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly serve: boolean;
  readonly serveDns: boolean;
  readonly networkPolicies: boolean;
  readonly lookFrequency?: number;
  readonly imageCredentialProviderConfig?: string;
  readonly imageCredentialProviderBinDir?: string;
  readonly logFormat?: LogFormat;
  readonly v: number;
}

/** Creates the command line. Flags that set the kubelet's configuration are written to `document`. */
function agentCommand(document: JsonObject): Command {
  const command = new Command('davit-node-agent')
    .description('Joins this machine to a Davit control plane as a node. It dials out and needs no open port.')
    .option(
      '--bootstrap-kubeconfig <file>',
      'kubeconfig with a bootstrap token, used until this node has a certificate',
    )
    .addOption(
      new Option(
        '--ec2-identity <cluster>',
        'join the cluster with this id without a bootstrap token, as this EC2 instance; the node is named after the instance id',
      ).argParser(clusterId),
    )
    .option('--kubeconfig <file>', 'kubeconfig of this node, written when it joins', '/var/lib/kubelet/kubeconfig')
    .option('--config <file>', 'KubeletConfiguration (kubelet.config.k8s.io/v1beta1)')
    .option('--config-dir <folder>', 'folder of *.conf files that override parts of the configuration')
    .option('--root-dir <folder>', "folder for certificates, volumes and plugins' sockets", '/var/lib/kubelet')
    .option('--cert-dir <folder>', "folder for this node's certificate; default: pki in --root-dir")
    .option('--hostname-override <name>', "name of the node instead of the machine's host name")
    .addOption(
      new Option('--node-ip <addresses>', 'IP address of the node, or one of each IP family, separated by a comma')
        .argParser(addresses)
        .default([], 'the address of the default route'),
    )
    .addOption(
      new Option('--node-labels <labels>', 'labels to register the node with: key=value,…')
        .argParser(labels)
        .default({}, 'none'),
    )
    .option('--serve', "also listen on the kubelet's port (10250 unless configured otherwise)", false)
    .addOption(
      new Option(
        '--look-frequency <duration>',
        'poll for changes at this interval and when notified, instead of watching, e.g. 5m; default: the server decides',
      ).argParser(frequency),
    )
    .option('--network-policies', 'enforce NetworkPolicies on the pods of this node', false)
    .option('--serve-dns', 'answer DNS queries for names in the cluster, at the addresses of clusterDNS', false)
    .option(
      '--image-credential-provider-config <path>',
      'CredentialProviderConfig file (kubelet.config.k8s.io/v1), or a folder of such files: *.json, *.yaml, *.yml',
    )
    .option('--image-credential-provider-bin-dir <folder>', 'folder of the credential provider plugins')
    .addOption(
      new Option('--log-format <format>', 'log format; default: text on a terminal, json otherwise').choices(
        LOG_FORMATS,
      ),
    )
    .addOption(new Option('--v <level>', 'verbosity of the log').argParser(level).default(0))
    .addHelpText(
      'after',
      "\nFlags that set fields of the kubelet's configuration also work. docs/reference/kubelet.md lists them.",
    );
  addProxyFlags(command);
  addNetworkFlags(command);
  for (const [name, flag] of Object.entries(CONFIGURATION_FLAGS)) command.addOption(optionOf(name, flag, document));
  return command;
}

function optionOf(name: string, flag: ConfigurationFlag, document: JsonObject): Option {
  const isSwitch = flag.form === 'flag';
  const option = new Option(isSwitch ? `--${name} [boolean]` : `--${name} <value>`).hideHelp().argParser((text) => {
    try {
      setByFlag(document, flag, text);
    } catch (error) {
      if (!(error instanceof FlagError)) throw error;
      throw new InvalidArgumentError(error.message);
    }
  });
  return isSwitch ? option.preset('true') : option;
}

function clusterId(text: string): string {
  if (!isClusterId(text)) throw new InvalidArgumentError('An id is letters, digits, dots, dashes and underscores.');
  return text;
}

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

function frequency(text: string): number {
  const milliseconds = durationOf(text) / 1_000_000;
  if (milliseconds < 1000 || milliseconds > 600_000) throw new InvalidArgumentError(FREQUENCY);
  return milliseconds;
}

const FREQUENCY = 'It is a duration from 1s to 10m.';

function durationOf(text: string): number {
  try {
    return Number(parseDuration(text));
  } catch {
    throw new InvalidArgumentError(FREQUENCY);
  }
}

function level(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}
