import { mkdir, open, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { CertificateStore } from '#lib/node/kubelet/certificate/store.ts';
import { ifMissing } from './path-error.ts';

/** The prefix of file names, as in upstream. A node presents one certificate to the API server, and serves the other to its own clients. */
export type PairName = 'kubelet-client' | 'kubelet-server';

/**
 * Stores certificate and key in one file that only its owner can read, as client-go's FileStore does. The previous pair is deleted once the
 * next one is in use.
 */
export class FileStore implements CertificateStore {
  readonly #directory: string;
  readonly #now: () => number;
  readonly #name: PairName;

  /** `now` returns ms since 1970, which become part of file names. */
  constructor(directory: string, now: () => number, name: PairName = 'kubelet-client') {
    this.#directory = directory;
    this.#now = now;
    this.#name = name;
  }

  /** The path of the pair in use. */
  get currentPath(): string {
    return join(this.#directory, `${this.#name}-current.pem`);
  }

  /** The path of the new link, before it replaces the link to the pair in use. */
  get #updatedPath(): string {
    return join(this.#directory, `${this.#name}-updated.pem`);
  }

  /** The file name of the key for a pending certificate request. */
  get #pending(): string {
    return `${this.#name}.key.tmp`;
  }

  async current(): Promise<KeyPair | undefined> {
    const text = await readFile(this.currentPath, 'utf8').catch(ifMissing);
    if (text === undefined) return undefined;
    const start = text.search(/-----BEGIN [A-Z ]*PRIVATE KEY-----/);
    if (start < 0) throw new Error(`${this.currentPath} has no key`);
    return { certificate: text.slice(0, start), key: text.slice(start) };
  }

  async update({ certificate, key }: KeyPair): Promise<void> {
    const time = new Date(this.#now()).toISOString().slice(0, 23).replaceAll(/[T:.]/g, '-');
    const name = `${this.#name}-${time}.pem`;
    await this.#write(name, `${certificate.trimEnd()}\n${key}`);
    const before = await readlink(this.currentPath).catch(ifMissing);
    await rm(this.#updatedPath, { force: true });
    await symlink(name, this.#updatedPath);
    await rename(this.#updatedPath, this.currentPath);
    if (before !== undefined && before !== name && !before.includes('/'))
      await rm(join(this.#directory, before), { force: true });
  }

  pendingKey(): Promise<string | undefined> {
    return readFile(join(this.#directory, this.#pending), 'utf8').catch(ifMissing);
  }

  async keepPendingKey(key: string | undefined): Promise<void> {
    if (key === undefined) await rm(join(this.#directory, this.#pending), { force: true });
    else await this.#write(this.#pending, key);
  }

  #write(name: string, text: string): Promise<void> {
    return writeOwnerOnly(this.#directory, name, text);
  }
}

/** Writes a file that only its owner can read, and moves it into place atomically and durably. A partly written file is never visible. */
export async function writeOwnerOnly(directory: string, name: string, text: string | Uint8Array): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const aside = join(directory, `.${name}.new`);
  await rm(aside, { force: true });
  const file = await open(aside, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, join(directory, name));
}
