import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';

/** The values of `--network-plugin`. */
const PLUGINS = ['cni', 'kubenet', 'noop'] as const;

/** The settings of the pod network. */
export interface PodNetworkOptions {
  /** Absent: the agent does not manage the pod network. */
  readonly plugin?: (typeof PLUGINS)[number];
  /** The folder of configurations, which the container runtime also reads. */
  readonly confDir: string;
  /** The folders of plugins. The first folder that contains a plugin wins. */
  readonly binDirs: readonly string[];
  /** 0 selects the smallest MTU of the interfaces that are up. */
  readonly mtu: number;
  /** With kubenet, pod traffic to destinations outside this range gets the node's address. */
  readonly nonMasqueradeCIDR: string;
  /** Whether the agent creates routes to the pods of other nodes. */
  readonly routes: boolean;
}

/** The values of the flags of `addNetworkFlags`. */
export interface NetworkFlags {
  readonly networkPlugin?: PodNetworkOptions['plugin'];
  readonly cniConfDir: string;
  readonly cniBinDir: readonly string[];
  readonly networkPluginMtu: number;
  readonly nonMasqueradeCidr: string;
  readonly configureRoutes?: boolean;
}

/** Returns the settings from the flags. Throws Error if flags exclude each other. */
export function podNetworkOptions(flags: NetworkFlags): PodNetworkOptions {
  const { networkPlugin: plugin, configureRoutes = plugin === 'kubenet' } = flags;
  if (configureRoutes && (plugin === undefined || plugin === 'noop'))
    throw new Error('--configure-routes needs --network-plugin=cni or --network-plugin=kubenet');
  return {
    ...(plugin !== undefined && { plugin }),
    confDir: flags.cniConfDir,
    binDirs: flags.cniBinDir,
    mtu: flags.networkPluginMtu,
    nonMasqueradeCIDR: flags.nonMasqueradeCidr,
    routes: configureRoutes,
  };
}

/** Adds the flags of the pod network to the command line: those that kubelets had until 1.23, and one that is specific to the agent. */
export function addNetworkFlags(command: Command): void {
  command
    .addOption(
      new Option(
        '--network-plugin <name>',
        'set up the pod network from the configuration in --cni-conf-dir (cni) or with the bridge cbr0 (kubenet); noop only makes bridged packets visible to firewall rules',
      ).choices(PLUGINS),
    )
    .option('--cni-conf-dir <folder>', 'folder of CNI configurations; must be conf_dir of containerd', '/etc/cni/net.d')
    .addOption(
      new Option('--cni-bin-dir <folders>', 'folders of CNI plugins, searched in this order')
        .argParser((text) => text.split(',').filter((folder) => folder !== ''))
        .default(['/opt/cni/bin', '/usr/lib/cni'], '/opt/cni/bin,/usr/lib/cni'),
    )
    .addOption(
      new Option(
        '--network-plugin-mtu <bytes>',
        "MTU of pods with kubenet; 0: the smallest MTU of the host's interfaces",
      )
        .argParser(mtu)
        .default(0),
    )
    .addOption(
      new Option(
        '--non-masquerade-cidr <range>',
        'with kubenet, pod traffic to addresses outside this range gets the address of the node; 0.0.0.0/0: no traffic does',
      )
        .argParser(range)
        .default('10.0.0.0/8'),
    )
    .addOption(
      new Option(
        '--configure-routes [boolean]',
        'configure routes to the pods of other nodes on the same network; default: only with kubenet',
      )
        .preset('true')
        .argParser(truth),
    );
}

function mtu(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('It is a number of bytes.');
  return Number(text);
}

function range(text: string): string {
  if (parseCIDRSloppy(text) === undefined) throw new InvalidArgumentError('It is a range of addresses: 10.0.0.0/8.');
  return text;
}

function truth(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It is true or false.');
  return text === 'true';
}
