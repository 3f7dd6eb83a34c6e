import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import { encryptionOf, type EnvelopeOf } from '#lib/storage/encryption/transformers.ts';
import type { StartOptions } from '../start-apiserver.ts';
import { fileFault, messageOf, StartFault } from '../start-fault.ts';
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
    .option(
      '--encryption-provider-config-automatic-reload [bool]',
      'follow that file while the server runs',
      truth,
      false,
    );

const noKms: EnvelopeOf = ({ name }) => {
  throw new TypeError(`the KMS provider ${JSON.stringify(name)} cannot be reached: no KMS is connected to this server`);
};

/** What the flags mean. Throws StartFault that says what is wrong. */
export async function encryptionOfFlags({
  encryptionProviderConfig: path,
  encryptionProviderConfigAutomaticReload: follows,
}: EncryptionFlags): Promise<Pick<StartOptions, 'encryption'>> {
  if (path !== undefined) return { encryption: await encryptionOfFile(path) };
  if (follows === true)
    throw new StartFault('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
  return {};
}

/** What the file says. Throws StartFault. */
export async function encryptionOfFile(path: string): Promise<TransformerOf> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw fileFault(path, error);
  });
  try {
    if (text === '') throw new TypeError(`encryption provider configuration file ${JSON.stringify(path)} is empty`);
    return encryptionOf(text, noKms);
  } catch (error) {
    throw new StartFault(`${path}: ${messageOf(error)}`);
  }
}
