import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lockFile } from '#adapters/sqlite/file-lock.ts';
import { newSigner, type KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { newAuthority } from './certs.ts';
import { ifCode } from './if-code.ts';
import { restrictFiles, writeOwnerOnly } from './owner-only.ts';
import { dataFault, messageOf, StartFault } from './start-fault.ts';

const IDENTITY = 'identity.json';

/** What a server keeps besides its objects: made at the first start, the same ever after. */
export interface Identity {
  readonly authority: string;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** A bearer token of the same right as the admin's certificate. */
  readonly adminToken: string;
  /** Private keys, PEM: the first signs service accounts' tokens, all verify them. */
  readonly serviceAccountKeys: readonly string[];
  /** Signs the certificates that are asked of the API; clients that show one of these are known. */
  readonly signer: KeyPair;
}

/**
 * Takes the directory for this process until the returned function is called, or the process ends, however it ends. Throws
 * StartFault where it cannot be used, or another server has it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  return lock(directory).catch((error: unknown) => {
    throw dataFault(directory, error);
  });
}

async function lock(directory: string): Promise<() => Promise<void>> {
  await makeDirectory(directory);
  const owner = join(directory, 'pid');
  const lock = lockFile(join(directory, 'lock'));
  if (lock === undefined) {
    throw new StartFault(
      `${directory} is in use by another davit (process ${await pidIn(directory)}); stop it, or choose another with --data-dir`,
    );
  }
  await writeOwnerOnly(owner, String(process.pid));
  await restrictFiles(directory);
  return async () => {
    await rm(owner, { force: true });
    lock.release();
  };
}

/** The process id of the server that has a directory; undefined where none has. */
export async function ownerOf(directory: string): Promise<string | undefined> {
  const path = join(directory, 'lock');
  if ((await stat(path).catch(ifCode('ENOENT'))) === undefined) return undefined;
  const lock = lockFile(path);
  lock?.release();
  return lock === undefined ? pidIn(directory) : undefined;
}

const pidIn = async (directory: string): Promise<string> =>
  (await readFile(join(directory, 'pid'), 'utf8').catch(ifCode('ENOENT'))) ?? 'unknown';

/** Makes the directory and those above it. Node's own way never ends where a file system lets nothing be made. */
export async function makeDirectory(directory: string): Promise<void> {
  const known = await stat(directory).catch(ifCode('ENOENT'));
  if (known?.isDirectory() === true) return;
  if (known === undefined && dirname(directory) !== directory) await makeDirectory(dirname(directory));
  await mkdir(directory, { mode: 0o700 });
}

/** Names and addresses that the server's certificate holds. */
const SERVER_NAMES = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '127.0.0.1',
  '::1',
  '10.96.0.1',
];

/** Whether a server has begun in this directory. */
export async function hasIdentity(directory: string): Promise<boolean> {
  return (await stat(join(directory, IDENTITY)).catch(ifCode('ENOENT'))) !== undefined;
}

/** The identity kept in the directory, or a new one that is then kept. */
export async function loadIdentity(directory: string, token: () => string, now: Date): Promise<Identity> {
  const path = join(directory, IDENTITY);
  try {
    const known = await readFile(path, 'utf8').catch(ifCode('ENOENT'));
    if (known === undefined) return await keep(path, await newIdentity(token(), now));
    const identity = readIdentity(path, known);
    const { serviceAccountKeys = [], signer } = identity as Partial<Identity>;
    if (serviceAccountKeys.length > 0 && signer !== undefined) return identity;
    const keys = serviceAccountKeys.length > 0 ? { serviceAccountKeys } : newTokenKeys();
    return await keep(path, { ...identity, ...keys, signer: signer ?? (await newSigner(now)) });
  } catch (error) {
    throw dataFault(path, error);
  }
}

async function keep(path: string, identity: Identity): Promise<Identity> {
  await writeOwnerOnly(path, JSON.stringify(identity));
  return identity;
}

function readIdentity(path: string, text: string): Identity {
  try {
    const identity = JSON.parse(text) as Identity;
    const { signer } = identity as Partial<Identity>;
    for (const { certificate, key } of [identity.server, identity.admin, ...(signer === undefined ? [] : [signer])]) {
      if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) throw new TypeError('another key');
    }
    for (const pem of identity.serviceAccountKeys ?? []) createPrivateKey(pem);
    if (new X509Certificate(identity.authority).ca && typeof identity.adminToken === 'string') return identity;
    throw new TypeError('something is missing');
  } catch (error) {
    const damaged = `${path} is damaged (${messageOf(error)})`;
    throw new StartFault(`${damaged}; restore it, or remove it for new certificates and a new kubeconfig`);
  }
}

export async function newIdentity(adminToken: string, now: Date): Promise<Identity> {
  const authority = await newAuthority(now);
  const [server, admin] = await Promise.all([
    authority.issue({ name: 'davit' }, SERVER_NAMES),
    authority.issue({ name: 'admin', organizations: ['system:masters'] }),
  ]);
  const signer = await newSigner(now);
  return { authority: authority.certificate, server, admin, adminToken, signer, ...newTokenKeys() };
}

function newTokenKeys(): Pick<Identity, 'serviceAccountKeys'> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { serviceAccountKeys: [privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()] };
}
