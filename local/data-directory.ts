import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '#adapters/sqlite/file-lock.ts';
import type { KeyPair } from './certs.ts';
import { newAuthority } from './certs.ts';

/** What a server keeps besides its objects: made at the first start, the same ever after. */
export interface Identity {
  readonly authority: string;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** A bearer token of the same right as the admin's certificate. */
  readonly adminToken: string;
}

/** Raised when another server has the directory; its text is for the user. */
export class DirectoryInUse extends Error {}

/** Takes the directory for this process until the returned function is called, or the process ends, however it ends. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const owner = join(directory, 'pid');
  const lock = lockFile(join(directory, 'lock'));
  if (lock === undefined) {
    const pid = await readFile(owner, 'utf8').catch(ifCode('ENOENT'));
    throw new DirectoryInUse(
      `${directory} is in use by another davit (process ${pid ?? 'unknown'}); stop it, or choose another with --data-dir`,
    );
  }
  await writeFile(owner, String(process.pid));
  return async () => {
    await rm(owner, { force: true });
    lock.release();
  };
}

function ifCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}

/** Names and addresses that the server's certificate holds. */
const SERVER_NAMES = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  '127.0.0.1',
  '::1',
  '10.96.0.1',
];

/** The identity kept in the directory, or a new one that is then kept. */
export async function loadIdentity(directory: string, token: () => string, now: Date): Promise<Identity> {
  const path = join(directory, 'identity.json');
  const known = await readFile(path, 'utf8').catch(ifCode('ENOENT'));
  if (known !== undefined) return JSON.parse(known) as Identity;
  const identity = await newIdentity(token(), now);
  await writeFile(path, JSON.stringify(identity), { mode: 0o600 });
  return identity;
}

export async function newIdentity(adminToken: string, now: Date): Promise<Identity> {
  const authority = await newAuthority(now);
  const [server, admin] = await Promise.all([
    authority.issue({ name: 'davit' }, SERVER_NAMES),
    authority.issue({ name: 'admin', organizations: ['system:masters'] }),
  ]);
  return { authority: authority.certificate, server, admin, adminToken };
}
