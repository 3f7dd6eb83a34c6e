import { createSecureContext } from 'node:tls';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { namedFile } from '../named-file.ts';
import { messageOf, StartFault } from '../start-fault.ts';

/**
 * The certificate and key from the files of two flags, with the certificate's flag first; undefined if neither is set. Throws StartFault if
 * only one is set, or the files do not contain a matching pair.
 */
export async function keyPairOf(flags: Readonly<Record<string, string | undefined>>): Promise<KeyPair | undefined> {
  const [certFile, keyFile] = Object.values(flags);
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined)
    throw new StartFault(`${Object.keys(flags).join(' and ')} must be specified together`);
  const [certificate, key] = await Promise.all([namedFile(certFile), namedFile(keyFile)]);
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new StartFault(`${certFile} and ${keyFile} are no certificate and its key: ${messageOf(error)}`);
  }
  return { certificate, key };
}
