import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MACHINE_FILE } from '#lib/node/kubelet/machine-identity.ts';
import { writeOwnerOnly } from '../records/certificate-store.ts';
import { ifMissing } from '../records/path-error.ts';

/** The file in the agent's folder that identifies the machine on which it was created. */
export const machineFile = (rootDirectory: string) => ({
  path: join(rootDirectory, MACHINE_FILE),
  /** Undefined if it does not exist. */
  read: () => readFile(join(rootDirectory, MACHINE_FILE), 'utf8').catch(ifMissing),
  write: (text: string) => writeOwnerOnly(rootDirectory, MACHINE_FILE, text),
});
