import { messageOfError } from '#lib/machinery/error-message.ts';
import { confListFromConf, networkConfFromBytes, pluginConfFromBytes } from './conf.ts';
import type { NetworkConfigList, PluginConfig } from './types.ts';
import { isNetworkName } from './validate.ts';

/** A folder of network configurations. */
export interface ConfFolder {
  /** The names of its files, folders not among them; none where it is not there. Rejects where it cannot be read. */
  names(folder: string): Promise<readonly string[]>;
  /** The content of a file. Rejects where it cannot be read or is too large. */
  read(path: string): Promise<Uint8Array>;
}

const EXTENSIONS = ['.conf', '.conflist', '.json'];

/** The names of those files that have one of the extensions, sorted (upstream: ConfFiles). */
export const confFiles = (names: readonly string[], extensions: readonly string[] = EXTENSIONS): string[] =>
  names.filter((name) => extensions.includes(extensionOf(name))).sort((a, b) => (a < b ? -1 : 1));

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

/** The network that a folder configures, and the files that were passed over. */
export interface FolderNetwork {
  /** Absent: no file has one. */
  readonly network?: NetworkConfigList;
  /** The name of its file. */
  readonly file?: string;
  /** A line for each file that stands before it and has no network. */
  readonly skipped: readonly string[];
}

/**
 * The first network by the names of files that can be read and has plugins, as the kubelet and CRI runtimes choose it
 * (upstream: dockershim's getDefaultCNINetwork). Rejects where the folder cannot be read.
 */
export async function firstNetwork(
  folder: string,
  files: ConfFolder,
  isConsidered: (name: string) => boolean = () => true,
): Promise<FolderNetwork> {
  const skipped: string[] = [];
  for (const name of confFiles(await files.names(folder)).filter(isConsidered)) {
    try {
      return { network: await networkOf(folder, name, files), file: name, skipped };
    } catch (error) {
      skipped.push(`${folder}/${name}: ${messageOfError(error)}`);
    }
  }
  return { skipped };
}

/** The network of a file: a `.conflist` is a list, another file one plugin. Rejects with an Error in libcni's words where it has none. */
async function networkOf(folder: string, name: string, files: ConfFolder): Promise<NetworkConfigList> {
  const bytes = await files.read(`${folder}/${name}`);
  if (!name.endsWith('.conflist')) return confListFromConf(pluginConfFromBytes(bytes));
  const list = networkConfFromBytes(bytes);
  const isAlone = list.loadOnlyInlinedPlugins || !isNetworkName(list.name); // no name leads to another folder
  const loaded = isAlone ? [] : await pluginsOfFolder(`${folder}/${list.name}`, files);
  const plugins = [...list.plugins, ...loaded];
  if (plugins.length === 0) throw new Error('no plugin configs found');
  return { ...list, plugins };
}

/** The plugins in the folder with the network's name (upstream: NetworkPluginConfsFromFiles). */
async function pluginsOfFolder(folder: string, files: ConfFolder): Promise<PluginConfig[]> {
  const plugins: PluginConfig[] = [];
  for (const name of confFiles(await files.names(folder), ['.conf']))
    plugins.push(pluginConfFromBytes(await files.read(`${folder}/${name}`)));
  return plugins;
}
