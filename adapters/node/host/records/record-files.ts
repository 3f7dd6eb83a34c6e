import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordFiles } from '#lib/node/kubelet/images/pullmanager/file-pull-records.ts';
import { writeOwnerOnly } from './certificate-store.ts';
import { ifMissing } from './path-error.ts';

/** Records of pulled images, in folders below the agent's folder. */
export const hostRecordFiles = (root: string): RecordFiles => ({
  list: async (folder) => (await readdir(join(root, folder)).catch(ifMissing)) ?? [],
  read: (folder, name) => readFile(join(root, folder, name)).catch(ifMissing),
  async write(folder, name, bytes) {
    await mkdir(join(root, folder), { recursive: true, mode: 0o700 });
    await writeOwnerOnly(join(root, folder), name, Buffer.from(bytes).toString());
  },
  remove: (folder, name) => rm(join(root, folder, name), { force: true }),
});
