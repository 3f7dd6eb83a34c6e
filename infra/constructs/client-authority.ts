import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { authorities } from '#lib/server/options/authentication.ts';
import { lineOf, readIfGiven } from '#lib/server/options/files.ts';
import { type Context, ContextError } from '../context.ts';
import type { DeclaredFile } from './code.ts';

/**
 * Returns the certificates of `clientAuthority`, for the ConfigMap extension-apiserver-authentication. Throws ContextError, one line, for a
 * file without certificates.
 */
export function clientAuthorityFile({ clientAuthority }: Context): DeclaredFile {
  try {
    const certificates = readIfGiven(diskFiles(), clientAuthority, authorities);
    return { name: 'client-ca.pem', text: () => certificates?.join('') };
  } catch (error) {
    throw new ContextError(`context clientAuthority: ${lineOf(error)}`, { cause: error });
  }
}
