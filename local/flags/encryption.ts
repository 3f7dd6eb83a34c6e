import type { Command } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import { pluginKeyManagement } from '#adapters/server/kms-plugin/key-management.ts';
import { defined } from '#lib/machinery/defined.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { type EncryptionFlags, encryptionIn, encryptionOf } from '#lib/server/options/encryption.ts';
import type { TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import { kmsEnvelope } from '#lib/storage/encryption/kms.ts';
import type { EnvelopeOf } from '#lib/storage/encryption/transformers.ts';
import { namedFiles } from '../named-file.ts';
import type { StartOptions } from '../start-options.ts';
import { truth } from './truth.ts';

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

/** Reads the flags. Rejects with an OptionError that names the problem. */
export const encryptionOfFlags = async (flags: EncryptionFlags): Promise<Pick<StartOptions, 'encryption'>> =>
  defined({ encryption: encryptionOf(flags, namedFiles, plugins) });

/** Reads the file. Rejects with an OptionError. */
export const encryptionOfFile = async (path: string): Promise<TransformerOf> => encryptionIn(path, namedFiles, plugins);
