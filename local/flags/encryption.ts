import type { Command } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import { pluginKeyManagement } from '#adapters/kms-plugin/key-management.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { kmsEnvelope } from '#lib/storage/encryption/kms.ts';
import type { TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import { encryptionOf, type EnvelopeOf } from '#lib/storage/encryption/transformers.ts';
import type { StartOptions } from '../start-options.ts';
import { namedFile } from '../named-file.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import { truth } from './truth.ts';

/** Upstream's flags of how objects are stored. */
export interface EncryptionFlags {
  readonly encryptionProviderConfig?: string;
  readonly encryptionProviderConfigAutomaticReload?: boolean;
}

/** Adds the flags to the command. */
export const encryptionFlags = (command: Command): Command =>
  command
    .option('--encryption-provider-config <path>', 'an EncryptionConfiguration: which objects are encrypted, and how')
    .option('--encryption-provider-config-automatic-reload [bool]', 'reload that file when it changes', truth, false);

const plugins: EnvelopeOf = ({ name, endpoint, apiVersion, timeout }) => {
  if (apiVersion !== 'v2') throw new TypeError(`the KMS provider ${JSON.stringify(name)} is of v1: only v2 is asked`);
  const milliseconds = Math.max(1, Number(parseDuration(timeout) / 1_000_000n));
  return kmsEnvelope(pluginKeyManagement({ name, endpoint, timeout: milliseconds }), systemClock);
};

/** Reads the flags. Throws StartFault that names the problem. */
export async function encryptionOfFlags({
  encryptionProviderConfig: path,
  encryptionProviderConfigAutomaticReload: follows,
}: EncryptionFlags): Promise<Pick<StartOptions, 'encryption'>> {
  if (path !== undefined) return { encryption: await encryptionOfFile(path) };
  if (follows === true)
    throw new StartFault('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
  return {};
}

/** Reads the file. Throws StartFault. */
export async function encryptionOfFile(path: string): Promise<TransformerOf> {
  const text = await namedFile(path);
  try {
    if (text === '') throw new TypeError(`encryption provider configuration file ${JSON.stringify(path)} is empty`);
    return encryptionOf(text, plugins);
  } catch (error) {
    throw new StartFault(`${path}: ${messageOf(error)}`);
  }
}
