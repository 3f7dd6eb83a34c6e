import { constants } from 'node:fs';
import { access, readFile, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { type KeyPair, privatePem, selfSigned } from '#lib/controllers/certificates/new-signer.ts';
import { writeOwnerOnly } from './certificate-store.ts';

/** The files of the node's serving certificate, PEM. */
export interface ServingFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads certificate and key. Rejects if either cannot be read. */
export async function readServingFiles({ certFile, keyFile }: ServingFiles): Promise<KeyPair> {
  const [certificate, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  return { certificate, key };
}

/**
 * Creates a certificate for the host if one of the agent's two files is missing or unreadable (upstream: GenerateSelfSignedCertKey). It is
 * signed by a CA whose key is discarded. Upstream rejects an incomplete pair. Here a kill between the two writes can cause one.
 */
export async function ensureServingFiles({ certFile, keyFile }: ServingFiles, host: string, now: Date): Promise<void> {
  const missing = await Promise.all([certFile, keyFile].map(isMissing));
  if (!missing.includes(true)) return;
  const seconds = Math.trunc(now.getTime() / 1000);
  const { root, keys } = await selfSigned(`CN=${host}-ca@${seconds}`, now);
  const authority = { certificate: root.toString('pem'), key: await privatePem(keys.privateKey) };
  const { certificate, key } = await authorityOf(authority, now).issue({ name: `${host}@${seconds}` }, [host]);
  await rm(certFile, { force: true }); // removed first, so that a kill after the next line leaves no mismatched pair
  await writeOwnerOnly(dirname(keyFile), basename(keyFile), key);
  await writeOwnerOnly(dirname(certFile), basename(certFile), `${certificate}\n${authority.certificate}\n`);
}

const isMissing = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => false,
    () => true,
  );
