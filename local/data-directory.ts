import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

const LOCK = 'lock';

/** Takes the directory for this process, until the returned function is called. A lock of a process that is gone is taken over. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, LOCK);
  for (;;) {
    const file = await open(path, 'wx', 0o600).catch(ifCode('EEXIST'));
    if (file !== undefined) {
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    }
    const owner = Number((await readFile(path, 'utf8').catch(ifCode('ENOENT'))) ?? 0);
    if (owner !== process.pid && isAlive(owner)) {
      throw new DirectoryInUse(
        `${directory} is in use by another davit (process ${owner}); stop it, or choose another with --data-dir`,
      );
    }
    await rm(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
