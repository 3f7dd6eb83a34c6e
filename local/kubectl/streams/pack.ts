import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFault } from '../../start-fault.ts';
import { padding, type TarHeader, tarEnd, tarHead } from './tar.ts';

/**
 * Archives a file or folder under another name. Symlinks are stored as symlinks. Throws StartFault if a file changes its size meanwhile.
 */
export async function* pack(path: string, name: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const bytes of packed(path, name)) {
    size += bytes.length;
    yield bytes;
  }
  yield tarEnd(size);
}

async function* packed(path: string, name: string): AsyncGenerator<Buffer> {
  const found = await lstat(path);
  const header: TarHeader = {
    name,
    type: 'other',
    mode: found.mode & 0o777,
    size: 0,
    modified: found.mtimeMs / 1000,
    target: '',
  };
  if (found.isDirectory()) {
    yield tarHead({ ...header, type: 'directory', name: `${name}/` });
    for (const child of (await readdir(path)).toSorted()) yield* packed(join(path, child), `${name}/${child}`);
  } else if (found.isSymbolicLink()) {
    yield tarHead({ ...header, type: 'symlink', target: await readlink(path) });
  } else if (found.isFile()) {
    yield tarHead({ ...header, type: 'file', size: found.size });
    yield* content(path, found.size);
    yield padding(found.size);
  }
}

async function* content(path: string, size: number): AsyncGenerator<Buffer> {
  if (size === 0) return;
  let read = 0;
  for await (const chunk of createReadStream(path, { end: size - 1 })) {
    const bytes = Buffer.from(chunk as Uint8Array);
    read += bytes.length;
    yield bytes;
  }
  if (read !== size) throw new StartFault(`${path} became shorter while it was copied`);
}
