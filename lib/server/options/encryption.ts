import type { TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import { type EnvelopeOf, encryptionOf as transformersOf } from '#lib/storage/encryption/transformers.ts';
import { type Files, OptionError, readAs } from './files.ts';

/** Upstream's flags for encryption at rest. */
export interface EncryptionFlags {
  readonly encryptionProviderConfig?: string;
  readonly encryptionProviderConfigAutomaticReload?: boolean;
}

/** Reads the flags. Undefined without a file. `envelopeOf` connects to KMS providers. Throws OptionError. */
export function encryptionOf(
  { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: follows }: EncryptionFlags,
  files: Files,
  envelopeOf: EnvelopeOf,
): TransformerOf | undefined {
  if (path !== undefined) return encryptionIn(path, files, envelopeOf);
  if (follows !== true) return undefined;
  throw new OptionError('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
}

/** Reads the file. Throws OptionError. */
export const encryptionIn = (path: string, files: Files, envelopeOf: EnvelopeOf): TransformerOf =>
  readAs(files, path, (text) => {
    if (text === '') throw new TypeError(`encryption provider configuration file ${JSON.stringify(path)} is empty`);
    return transformersOf(text, envelopeOf);
  });
