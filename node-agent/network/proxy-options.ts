import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { isInterfaceName, LOCAL_MODES, type LocalMode, type LocalSettings } from '#lib/node/proxy/local-detector.ts';

/** An address and a port to listen on. */
export interface BindAddress {
  readonly host: string;
  readonly port: number;
}

/** The settings of the proxy of Services. */
export interface ServiceProxySettings {
  readonly masqueradeAll: boolean;
  readonly local: LocalSettings;
  /** Networks whose addresses accept NodePorts, or `primary`. If empty, all addresses do. */
  readonly nodePortAddresses: readonly string[] | 'primary';
  /** Absent: no health server runs. */
  readonly healthz?: BindAddress;
  readonly conntrackTCPBeLiberal: boolean;
}

/** The flags of the proxy, as in kube-proxy. */
export interface ProxyFlags {
  readonly proxyMode?: 'nftables';
  readonly masqueradeAll: boolean;
  readonly clusterCidr: readonly string[];
  readonly detectLocalMode?: LocalMode;
  readonly podBridgeInterface: string;
  readonly podInterfaceNamePrefix: string;
  readonly nodeportAddresses: readonly string[] | 'primary';
  readonly proxyHealthzBindAddress?: BindAddress;
  readonly conntrackTcpBeLiberal: boolean;
}

/** Adds the flags of the proxy to the command line. */
export function addProxyFlags(command: Command): void {
  const mode = new Option('--proxy-mode <mode>', 'how to forward packets to Services; default: not at all');
  const local = new Option('--detect-local-mode <mode>', 'how to recognize packets from pods on this node');
  command
    .addOption(mode.choices(['nftables']))
    .option('--masquerade-all', "replace the source of every packet to a ClusterIP with this node's address", false)
    .addOption(option('--cluster-cidr <networks>', 'CIDRs of the pods on all nodes', networks, [], 'none'))
    .addOption(local.choices(LOCAL_MODES))
    .addOption(
      option(
        '--pod-bridge-interface <name>',
        'bridge that pods are attached to, for BridgeInterface',
        nameOfInterface,
        '',
      ),
    )
    .addOption(
      option(
        '--pod-interface-name-prefix <prefix>',
        "name prefix of pods' interfaces, for InterfaceNamePrefix",
        nameOfInterface,
        '',
      ),
    )
    .addOption(
      option(
        '--nodeport-addresses <networks>',
        'networks whose addresses accept NodePorts, or primary',
        (text) => (text === 'primary' ? text : networks(text)),
        [],
        'all addresses',
      ),
    )
    .addOption(
      option(
        '--proxy-healthz-bind-address <address>',
        "address of the proxy's health server; empty: no health server",
        bindAddress,
        { host: '0.0.0.0', port: HEALTHZ_PORT },
        `0.0.0.0:${HEALTHZ_PORT}`,
      ),
    )
    .option('--conntrack-tcp-be-liberal', 'treat TCP packets outside the window as valid', false);
}

/** The settings of the proxy. Undefined without `--proxy-mode`. Throws Error if the mode for detecting local traffic lacks its setting. */
export function serviceProxySettings(flags: ProxyFlags): ServiceProxySettings | undefined {
  if (flags.proxyMode === undefined) return undefined;
  const { proxyHealthzBindAddress: healthz } = flags;
  return {
    masqueradeAll: flags.masqueradeAll,
    local: localSettings(flags),
    nodePortAddresses: flags.nodeportAddresses,
    ...(healthz !== undefined && { healthz }),
    conntrackTCPBeLiberal: flags.conntrackTcpBeLiberal,
  };
}

/** The default port of kube-proxy's health server. */
const HEALTHZ_PORT = 10_256;

function localSettings(flags: ProxyFlags): LocalSettings {
  const { clusterCidr: clusterCIDRs, podBridgeInterface, podInterfaceNamePrefix } = flags;
  const mode = flags.detectLocalMode ?? (clusterCIDRs.length > 0 ? 'ClusterCIDR' : 'NodeCIDR');
  const need = (isThere: boolean, flag: string): void => {
    if (!isThere) throw new Error(`--detect-local-mode=${mode} needs ${flag}`);
  };
  if (mode === 'ClusterCIDR') need(clusterCIDRs.length > 0, '--cluster-cidr');
  if (mode === 'BridgeInterface') need(podBridgeInterface !== '', '--pod-bridge-interface');
  if (mode === 'InterfaceNamePrefix') need(podInterfaceNamePrefix !== '', '--pod-interface-name-prefix');
  const interfaceName = mode === 'BridgeInterface' ? podBridgeInterface : podInterfaceNamePrefix;
  return { mode, clusterCIDRs, interfaceName };
}

function option<T>(flags: string, text: string, parse: (text: string) => T, ...initial: [T, string?]): Option {
  return new Option(flags, text).argParser(parse).default(...initial);
}

function networks(text: string): readonly string[] {
  const all = text.split(',').map((network) => network.trim());
  if (all.some((network) => parseCIDRSloppy(network) === undefined))
    throw new InvalidArgumentError('Networks are written as 10.244.0.0/16, separated by commas.');
  return all;
}

function nameOfInterface(text: string): string {
  if (!isInterfaceName(text)) throw new InvalidArgumentError('It is a name of an interface.');
  return text;
}

/** Parses an address as kube-proxy does. The port is optional. */
function bindAddress(text: string): BindAddress | undefined {
  if (text === '') return undefined;
  if (parseIPSloppy(text) !== undefined) return { host: text, port: HEALTHZ_PORT };
  const [, inBrackets, plain = '', digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = inBrackets ?? plain;
  const port = digits === undefined ? HEALTHZ_PORT : Number(digits);
  if (parseIPSloppy(host) === undefined || port < 1 || port > 65_535)
    throw new InvalidArgumentError('It is an IP address and a port.');
  return { host, port };
}
