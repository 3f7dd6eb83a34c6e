import { randomInt } from 'node:crypto';
import {
  chmod,
  chown,
  lchown,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DATA_LINK, type FileProjection, type Projection, type WritePlan } from '#lib/node/volume/atomic-writer.ts';
import { parentPath } from '#lib/node/volume/mount/path.ts';
import { errorCode, ifMissing, isMissing } from '../records/path-error.ts';

const NEW_LINK = '..data_tmp';
const SAME = -1;

/** The files that a volume currently shows. Undefined if it shows none yet. */
export async function readProjection(path: string): Promise<Projection | undefined> {
  const folder = await readlink(join(path, DATA_LINK)).catch(ifMissing);
  // The link belongs to the writer. A link that leads elsewhere is not read, and not removed later.
  if (folder === undefined || folder.includes('/') || !folder.startsWith('..') || folder === '..') return undefined;
  const files = new Map<string, Uint8Array>();
  const paths: string[] = [];
  const entries = await readdir(join(path, folder), { withFileTypes: true, recursive: true }).catch(ifMissing);
  for (const entry of entries ?? []) {
    const full = join(entry.parentPath, entry.name);
    const relative = full.slice(join(path, folder).length + 1);
    paths.push(relative);
    if (entry.isFile()) files.set(relative, await readFile(full));
  }
  return { folder, files, paths };
}

/** Executes a plan atomically: a reader of the volume sees either the old or the new files, never a mixture. */
export async function writeProjection(
  path: string,
  plan: WritePlan,
  beforePublish: () => Promise<void>,
): Promise<void> {
  if (plan.folderPrefix !== undefined) await publish(path, plan.folderPrefix, plan, beforePublish);
  for (const [name, user] of plan.links) await link(path, name, user);
  for (const name of plan.remove) await rm(join(path, name), { force: true });
  if (plan.oldFolder !== undefined) await rm(join(path, plan.oldFolder), { recursive: true, force: true });
}

async function publish(
  path: string,
  prefix: string,
  { payload }: WritePlan,
  beforePublish: () => Promise<void>,
): Promise<void> {
  const name = await newFolder(path, prefix);
  try {
    for (const [file, projection] of payload) await writeOne(join(path, name, file), projection);
    await beforePublish();
    await rm(join(path, NEW_LINK), { force: true }); // a link that a process left when it ended in between
    await symlink(name, join(path, NEW_LINK));
    await rename(join(path, NEW_LINK), join(path, DATA_LINK));
  } catch (error) {
    await rm(join(path, name), { recursive: true, force: true });
    throw error;
  }
}

/** Creates a folder with a new name. All users can list it, regardless of the umask. */
async function newFolder(path: string, prefix: string): Promise<string> {
  for (;;) {
    const name = prefix + randomInt(2 ** 32);
    try {
      await mkdir(join(path, name), { mode: 0o755 });
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      throw error;
    }
    await chmod(join(path, name), 0o755);
    return name;
  }
}

async function writeOne(path: string, { data, mode, fsUser }: FileProjection): Promise<void> {
  await mkdir(parentPath(path), { recursive: true, mode: 0o777 });
  await writeFile(path, data, { mode, flag: 'wx' });
  await chmod(path, mode);
  if (fsUser !== undefined) await chown(path, fsUser, SAME);
}

async function link(path: string, name: string, user: number | undefined): Promise<void> {
  const place = join(path, name);
  const there = await readlink(place).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    if (errorCode(error) === 'EINVAL') return ''; // not a link but a mount point of another volume, which stays in place
    throw error;
  });
  if (there !== undefined) return;
  await symlink(`${DATA_LINK}/${name}`, place);
  if (user !== undefined) await lchown(place, user, SAME);
}
