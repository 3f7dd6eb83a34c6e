import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lockFile } from '#adapters/server/sqlite/file-lock.ts';
import { newFrontProxy } from '#lib/controllers/certificates/front-proxy.ts';
import { type Authority, authorityOf } from '#lib/controllers/certificates/issue.ts';
import type { FrontProxy } from '#lib/controllers/certificates/kept-front-proxy.ts';
import { type KeyPair, newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { namesAll, newAuthority } from './certs.ts';
import { ifCode } from './if-code.ts';
import { restrictFiles, writeOwnerOnly } from './owner-only.ts';
import { dataFault, messageOf, StartFault } from './start-fault.ts';

const IDENTITY = 'identity.json';

/** Why a process locks a data directory: to serve it, or to run a short command. */
export type DirectoryUse = 'serve' | 'command';

/** The file with the process id, by purpose. Programs send signals to the process in `pid`, which is always a server. */
const PID_FILES: Readonly<Record<DirectoryUse, string>> = { serve: 'pid', command: 'command-pid' };

/** The keys of a server, generated at the first start. Only `server` changes afterwards. */
export interface Identity {
  readonly authority: string;
  /** Signs a new `server` certificate for other names. Directories of older versions have none. */
  readonly authorityKey?: string;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** A bearer token with the same permissions as the admin's certificate. */
  readonly adminToken: string;
  /** Private keys in PEM. The first signs service account tokens. All of them verify tokens. */
  readonly serviceAccountKeys: readonly string[];
  /** Signs certificates that are requested via the API. Clients with such a certificate are authenticated. */
  readonly signer: KeyPair;
  /** Identifies this server to aggregated servers. */
  readonly frontProxy: FrontProxy;
}

/**
 * Locks the directory for this process until the returned function is called, or the process ends in any way. Throws StartFault if the
 * directory cannot be used, or another server has it.
 */
export async function lockDirectory(directory: string, use: DirectoryUse): Promise<() => Promise<void>> {
  return lock(directory, use).catch((error: unknown) => {
    throw dataFault(directory, error);
  });
}

async function lock(directory: string, use: DirectoryUse): Promise<() => Promise<void>> {
  await makeDirectory(directory);
  const held = lockFile(join(directory, 'lock'));
  if (held === undefined) {
    throw new StartFault(
      `${directory} is in use by another davit (process ${(await ownerIn(directory)).pid}); stop it, or choose another with --data-dir`,
    );
  }
  for (const name of Object.values(PID_FILES)) rmSync(join(directory, name), { force: true }); // of a killed process
  const owner = join(directory, PID_FILES[use]);
  await writeOwnerOnly(owner, String(process.pid));
  await restrictFiles(directory);
  return async () => {
    await rm(owner, { force: true });
    held.release();
  };
}

/** The process that has locked a data directory. */
export interface Owner {
  /** `unknown` for a moment after the process has locked the directory. */
  readonly pid: string;
  /** Whether the process is a server rather than a command such as an import. */
  readonly isServer: boolean;
  /** When the process locked the directory; undefined if its process id is unknown. */
  readonly since?: Date;
}

/** The process that has locked a directory; undefined if none has. */
export async function ownerOf(directory: string): Promise<Owner | undefined> {
  const path = join(directory, 'lock');
  if ((await stat(path).catch(ifCode('ENOENT'))) === undefined) return undefined;
  const held = lockFile(path);
  held?.release();
  return held === undefined ? ownerIn(directory) : undefined;
}

const ownerIn = async (directory: string): Promise<Owner> =>
  (await ownerAs('serve', directory)) ?? (await ownerAs('command', directory)) ?? { pid: 'unknown', isServer: false };

async function ownerAs(use: DirectoryUse, directory: string): Promise<Owner | undefined> {
  const path = join(directory, PID_FILES[use]);
  const pid = await readFile(path, 'utf8').catch(ifCode('ENOENT'));
  const file = await stat(path).catch(ifCode('ENOENT'));
  if (pid === undefined || file === undefined || !/^[1-9]\d*$/.test(pid)) return undefined; // 0 would be a process group
  return { pid, isServer: use === 'serve', since: file.mtime };
}

/** Creates the directory and its parents. Node's own recursive mkdir never returns on a file system that rejects every mkdir. */
export async function makeDirectory(directory: string): Promise<void> {
  const known = await stat(directory).catch(ifCode('ENOENT'));
  if (known?.isDirectory() === true) return;
  if (known === undefined && dirname(directory) !== directory) await makeDirectory(dirname(directory));
  await mkdir(directory, { mode: 0o700 });
}

/** Names and addresses in every server's certificate. */
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

/** An identity, possibly written by an older version. */
type KeptIdentity = Omit<Identity, LaterKeys> & Partial<Pick<Identity, LaterKeys>>;
type LaterKeys = 'serviceAccountKeys' | 'signer' | 'frontProxy';

/** The inputs of a new identity. */
export interface IdentitySource {
  /** A new bearer token for the administrator. */
  token(): string;
  readonly now: Date;
  /** Hosts and addresses for the server's certificate, in addition to those of every server. */
  readonly names: readonly string[];
}

/** Whether a server has ever started with this directory. */
export async function hasIdentity(directory: string): Promise<boolean> {
  return (await stat(join(directory, IDENTITY)).catch(ifCode('ENOENT'))) !== undefined;
}

/** The identity in the directory, completed with any missing parts, or a new one. New parts are written to the directory. */
export async function loadIdentity(directory: string, source: IdentitySource): Promise<Identity> {
  const path = join(directory, IDENTITY);
  try {
    const known = await readFile(path, 'utf8').catch(ifCode('ENOENT'));
    if (known === undefined) return await keep(path, await newIdentity(source.token(), source.now, source.names));
    const identity = await completed(readIdentity(path, known), source);
    return JSON.stringify(identity) === known ? identity : await keep(path, identity);
  } catch (error) {
    throw dataFault(path, error);
  }
}

/** Adds the parts that older versions did not store. Also adds a server certificate for these names if it can be signed. */
async function completed(kept: KeptIdentity, { now, names }: IdentitySource): Promise<Identity> {
  const { authority: certificate, authorityKey: key, server, serviceAccountKeys: keys = [], signer, frontProxy } = kept;
  const isNamed = key === undefined || namesAll(server.certificate, names);
  return {
    ...kept,
    server: isNamed ? server : await serverPair(authorityOf({ certificate, key }, now), names),
    serviceAccountKeys: keys.length > 0 ? keys : newTokenKeys(),
    signer: signer ?? (await newSigner(now)),
    frontProxy: frontProxy ?? (await newFrontProxy(now)),
  };
}

const serverPair = (authority: Authority, names: readonly string[]): Promise<KeyPair> =>
  authority.issue({ name: 'davit' }, [...new Set([...SERVER_NAMES, ...names])]);

async function keep(path: string, identity: Identity): Promise<Identity> {
  await writeOwnerOnly(path, JSON.stringify(identity));
  return identity;
}

function readIdentity(path: string, text: string): KeptIdentity {
  try {
    const identity = JSON.parse(text) as KeptIdentity;
    const { signer, frontProxy, authority: certificate, authorityKey: key } = identity;
    const pairs = [identity.server, identity.admin, ...(key === undefined ? [] : [{ certificate, key }])];
    const later = [signer, frontProxy?.client].filter((pair) => pair !== undefined);
    for (const pair of [...pairs, ...later]) {
      if (!new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.key)))
        throw new TypeError('another key');
    }
    for (const pem of identity.serviceAccountKeys ?? []) createPrivateKey(pem);
    if (new X509Certificate(certificate).ca && typeof identity.adminToken === 'string') return identity;
    throw new TypeError('something is missing');
  } catch (error) {
    const damaged = `${path} is damaged (${messageOf(error)})`;
    throw new StartFault(`${damaged}; restore it, or remove it for new certificates and a new kubeconfig`);
  }
}

/** A new identity. Certificates are valid from `now`; `names` are additional names for the server's certificate. */
export async function newIdentity(adminToken: string, now: Date, names: readonly string[] = []): Promise<Identity> {
  const authority = await newAuthority(now);
  const [server, admin] = await Promise.all([
    serverPair(authority, names),
    authority.issue({ name: 'admin', organizations: ['system:masters'] }),
  ]);
  const [signer, frontProxy] = await Promise.all([newSigner(now), newFrontProxy(now)]);
  const { certificate, key } = authority;
  return {
    authority: certificate,
    authorityKey: key,
    server,
    admin,
    adminToken,
    signer,
    frontProxy,
    serviceAccountKeys: newTokenKeys(),
  };
}

function newTokenKeys(): readonly string[] {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return [privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()];
}
