import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, pathErrorText } from '#adapters/node/host/records/path-error.ts';
import { quote } from '#lib/machinery/go.ts';
import {
  type CredentialProviderConfig,
  isConfigFile,
  mergeConfigFiles,
} from '#lib/node/credentialprovider/plugin/config.ts';
import { checkProviders } from '#lib/node/credentialprovider/plugin/validation.ts';

/** The credential provider plugins of a node, whose programs are in one folder. */
export interface CredentialProviderPlugins extends CredentialProviderConfig {
  readonly folder: string;
}

/**
 * Reads the configuration of plugins from a file or a folder, and checks that their programs exist. Undefined if neither flag is set.
 * Throws an Error with upstream's text.
 */
export async function credentialProviderPlugins(
  config: string | undefined,
  folder = '',
): Promise<CredentialProviderPlugins | undefined> {
  if (config === undefined && folder === '') return undefined;
  await stat(folder).catch((cause: unknown) => {
    if (isMissing(cause)) throw new Error(`plugin binary directory ${folder} did not exist`, { cause });
    throw new Error(`error inspecting binary directory ${folder}: ${pathErrorText(cause)}`, { cause });
  });
  if (config === undefined || config === '') throw new Error('credential provider config path is empty');
  const paths = await pathsAt(config);
  const merged = mergeConfigFiles(await Promise.all(paths.map(async (path) => ({ path, bytes: await bytesAt(path) }))));
  checkProviders(merged.providers);
  for (const { name } of merged.providers) await checkProgram(join(folder, name));
  return { ...merged, folder };
}

async function pathsAt(config: string): Promise<readonly string[]> {
  const found = await stat(config).catch(failing(`unable to access path ${quote(config)}`));
  if (!found.isDirectory()) return [config];
  const entries = await readdir(config, { withFileTypes: true }).catch(
    failing(`unable to read directory ${quote(config)}`),
  );
  const files = entries.filter((entry) => !entry.isDirectory() && isConfigFile(entry.name));
  if (files.length === 0) throw new Error(`no configuration files found in directory ${quote(config)}`);
  return files.map(({ name }) => join(config, name)).sort();
}

const bytesAt = (path: string): Promise<Uint8Array> =>
  readFile(path).catch(failing(`unable to read file ${quote(path)}`));

/** Throws if a file is not executable. */
async function checkProgram(path: string): Promise<void> {
  try {
    await access(path, constants.X_OK);
  } catch (cause) {
    if (isMissing(cause)) throw new Error(`plugin binary executable ${path} did not exist`, { cause });
    throw new Error(`error inspecting binary executable ${path}: ${pathErrorText(cause)}`, { cause });
  }
}

const failing =
  (what: string) =>
  (cause: unknown): never => {
    throw new Error(`${what}: ${pathErrorText(cause)}`, { cause });
  };
