import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { privatePem, selfSigned, type KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { writeOwnerOnly } from './certificate-store.ts';

/** The files of the certificate that a node serves, PEM. */
export interface ServingFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads certificate and key. Rejects where one cannot be read. */
export async function readServingFiles({ certFile, keyFile }: ServingFiles): Promise<KeyPair> {
  const [certificate, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  return { certificate, key };
}

/**
 * Makes a certificate for the host, signed by an authority of its own that nobody keeps, where neither file is there (upstream:
 * GenerateSelfSignedCertKey). Rejects with upstream's text where only one is.
 */
export async function ensureServingFiles({ certFile, keyFile }: ServingFiles, host: string, now: Date): Promise<void> {
  const paths = [certFile, keyFile];
  const missing = await Promise.all(paths.map(isMissing));
  if (!missing.includes(true)) return;
  if (missing.includes(false))
    throw new Error(
      `error reading ${missing[0] === true ? certFile : keyFile}, certificate and key must be supplied as a pair`,
    );
  const seconds = Math.trunc(now.getTime() / 1000);
  const { root, keys } = await selfSigned(`CN=${host}-ca@${seconds}`, now);
  const authority = { certificate: root.toString('pem'), key: await privatePem(keys.privateKey) };
  const { certificate, key } = await authorityOf(authority, now).issue({ name: `${host}@${seconds}` }, [host]);
  await writeOwnerOnly(dirname(keyFile), basename(keyFile), key);
  await writeOwnerOnly(dirname(certFile), basename(certFile), `${certificate}\n${authority.certificate}\n`);
}

const isMissing = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => false,
    () => true,
  );
