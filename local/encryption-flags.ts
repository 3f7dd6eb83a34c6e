import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { encryptionOf, type EnvelopeOf } from '#lib/storage/encryption/transformers.ts';
import type { StartOptions } from './start-apiserver.ts';
import { fileFault, messageOf, StartFault } from './start-fault.ts';

/** Upstream's flag of how objects are stored. */
export interface EncryptionFlags {
  readonly encryptionProviderConfig?: string;
}

/** Adds the flag to the command. */
export const encryptionFlags = (command: Command): Command =>
  command.option(
    '--encryption-provider-config <path>',
    'an EncryptionConfiguration: which objects are encrypted, and how',
  );

const noKms: EnvelopeOf = ({ name }) => {
  throw new TypeError(`the KMS provider ${JSON.stringify(name)} cannot be reached: no KMS is connected to this server`);
};

/** What the flag means. Throws StartFault that says what is wrong. */
export async function encryptionOfFlags({
  encryptionProviderConfig: path,
}: EncryptionFlags): Promise<Pick<StartOptions, 'encryption'>> {
  if (path === undefined) return {};
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw fileFault(path, error);
  });
  try {
    if (text === '') throw new TypeError(`encryption provider configuration file ${JSON.stringify(path)} is empty`);
    return { encryption: encryptionOf(text, noKms) };
  } catch (error) {
    throw new StartFault(`${path}: ${messageOf(error)}`);
  }
}
