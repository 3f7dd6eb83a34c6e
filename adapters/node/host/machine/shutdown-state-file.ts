import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SHUTDOWN_STATE_FILE, type ShutdownStateFile } from '#lib/node/kubelet/nodeshutdown/shutdown-state.ts';
import { writeOwnerOnly } from '../records/certificate-store.ts';
import { ifMissing } from '../records/path-error.ts';

/** Stores the state of graceful shutdown in a file in the agent's folder. */
export const hostShutdownState = (rootDirectory: string): ShutdownStateFile => ({
  read: () => readFile(join(rootDirectory, SHUTDOWN_STATE_FILE), 'utf8').catch(ifMissing),
  write: (text) => writeOwnerOnly(rootDirectory, SHUTDOWN_STATE_FILE, text),
});
