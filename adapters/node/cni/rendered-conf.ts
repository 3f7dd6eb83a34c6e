import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from './files.ts';

/** A configuration that this program writes into a configuration folder for other programs to read. */
export class RenderedConf {
  readonly #folder: string;
  readonly #name: string;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  /** Writes the file atomically, unless it already has this content. Returns whether it wrote the file. */
  async write(bytes: Uint8Array): Promise<boolean> {
    const path = join(this.#folder, this.#name);
    if ((await this.#read(path))?.equals(bytes) === true) return false;
    await mkdir(this.#folder, { recursive: true });
    const aside = join(this.#folder, `.${this.#name}.new`); // a name that runtimes ignore
    await writeFile(aside, bytes, { mode: 0o644 });
    await rename(aside, path);
    return true;
  }

  /** Removes the file. A missing file is not an error. */
  async remove(): Promise<void> {
    await rm(join(this.#folder, this.#name), { force: true });
  }

  async #read(path: string): Promise<Buffer | undefined> {
    try {
      return await readFile(path);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }
}
