import { messageOfError } from '#lib/machinery/error-message.ts';
import { confListFromConf, networkConfFromBytes, pluginConfFromBytes } from './conf.ts';
import type { NetworkConfigList, PluginConfig } from './types.ts';
import { isNetworkName } from './validate.ts';

/** A folder of network configurations. */
export interface ConfFolder {
  /** Lists the file names, without folders. Empty if the folder does not exist. Rejects if it cannot be read. */
  names(folder: string): Promise<readonly string[]>;
  /** Returns the content of a file. Rejects if the file cannot be read or is too large. */
  read(path: string): Promise<Uint8Array>;
}

const EXTENSIONS = ['.conf', '.conflist', '.json'];

/** The file names with one of the extensions, sorted (upstream: ConfFiles). */
export const confFiles = (names: readonly string[], extensions: readonly string[] = EXTENSIONS): string[] =>
  names.filter((name) => extensions.includes(extensionOf(name))).sort((a, b) => (a < b ? -1 : 1));

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

/** The network that a folder configures, and the skipped files. */
export interface FolderNetwork {
  /** Absent if no file contains a network. */
  readonly network?: NetworkConfigList;
  /** The file name of the network. */
  readonly file?: string;
  /** A line for each earlier file without a network. */
  readonly skipped: readonly string[];
}

/**
 * The first network, by file name, that can be read and has plugins. The kubelet and CRI runtimes choose it in the same way (upstream:
 * dockershim's getDefaultCNINetwork). Rejects if the folder cannot be read.
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

/**
 * The network in a file. A `.conflist` is a list, any other file is one plugin. Rejects with an Error with libcni's message if there is no
 * network.
 */
async function networkOf(folder: string, name: string, files: ConfFolder): Promise<NetworkConfigList> {
  const bytes = await files.read(`${folder}/${name}`);
  if (!name.endsWith('.conflist')) return confListFromConf(pluginConfFromBytes(bytes));
  const list = networkConfFromBytes(bytes);
  const isAlone = list.loadOnlyInlinedPlugins || !isNetworkName(list.name); // the name must not lead to another folder
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
