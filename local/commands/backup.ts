import { createReadStream } from 'node:fs';
import { access, open as openFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import { type CheckResult, checkLines } from '#lib/server/backup/check.ts';
import { type ExportTotals, exportLines } from '#lib/server/backup/export.ts';
import { type ImportResult, importLines } from '#lib/server/backup/import.ts';
import { BackupError } from '#lib/server/backup/line.ts';
import { raiseEpochs } from '#lib/server/backup/restore.ts';
import { MAX_BODY_BYTES } from '#lib/storage/limits.ts';
import type { Flags } from '../command.ts';
import { underImport } from '../import-mark.ts';
import { durationText } from '../kubectl/time-text.ts';
import { dataFault, fileFault, StartFault } from '../start-fault.ts';
import { type BackupFlags, openForReading, openStore, tableFlags } from './backup-store.ts';
import { boundedLines } from './bounded-lines.ts';

/** Twice the size limit of an object, which leaves room for its key and for escape sequences. */
const MAX_LINE = 2 * MAX_BODY_BYTES;

type BackupPaths = Omit<BackupFlags, keyof Flags>;

/** Adds `export`, `import` and `restore`, for a data directory or a table. Only `export` works on the directory of a running server. */
export function backupCommands(command: Command): Command {
  tableFlags(command.command('export <file>'))
    .description('write every object to a file, as JSON lines')
    .option('--include-secrets', 'include Secrets in plain text: protect the file')
    .action(async (file: string, { includeSecrets = false, ...given }: BackupPaths & { includeSecrets?: boolean }) => {
      const flags = { ...command.opts<Flags>(), ...given };
      const { result, took } = await timed(() => exportTo(file, flags, includeSecrets));
      const { objects, sequences, bytes } = result;
      report(`exported ${objects} objects of ${sequences} logs to ${resolve(file)}: ${bytes} bytes in ${took}`);
      if (!includeSecrets) report('Secrets are left out; --include-secrets exports them in the clear');
    });
  tableFlags(command.command('import <file>'))
    .description('store the objects of an export, and overwrite existing ones')
    .action(async (file: string, given: BackupPaths) => {
      const flags = { ...command.opts<Flags>(), ...given };
      const { result, took } = await timed(() => importFrom(file, flags));
      const { objects, sequences, unserved } = result;
      report(`imported ${objects} objects into ${sequences} logs of ${placeIn(flags)} in ${took}`);
      for (const type of unserved)
        report(`${type} has objects, which no definition in the file serves: nobody sees them before it has one`);
    });
  tableFlags(command.command('restore'))
    .description('run once after restoring a copy of a data directory or table, so that no resource version is reused')
    .action(async (given: BackupPaths) => {
      if (given.table === undefined && command.getOptionValueSource('dataDir') === 'default')
        throw new StartFault('name the copy that you put back: --data-dir PATH or --table NAME');
      const flags = { ...command.opts<Flags>(), ...given };
      const { result: logs, took } = await timed(() => restore(flags));
      report(`${logs} logs of ${placeIn(flags)} continue in new epochs; this took ${took}`);
    });
  return command;
}

const report = (text: string): void => console.error(`davit: ${text}`);

const placeIn = ({ table, dataDir }: BackupFlags): string =>
  table === undefined ? resolve(dataDir) : `table ${table}`;

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly took: string }> {
  const begun = performance.now();
  return { result: await work(), took: durationText(performance.now() - begun) };
}

/** Counts of an export. */
export interface ExportResult extends Readonly<ExportTotals> {
  readonly bytes: number;
}

/** Writes all objects of a store to a file that only its owner can read. A data directory is read as of one moment. */
export async function exportTo(file: string, flags: BackupFlags, secrets: boolean): Promise<ExportResult> {
  const totals: ExportTotals = { objects: 0, sequences: 0 };
  await mustExist(flags);
  const { store, close } = await openForReading(flags);
  try {
    const target = await openFile(file, 'w', 0o600);
    await target.chmod(0o600); // an existing file keeps its mode
    await pipeline(Readable.from(exportLines(store, { secrets }, totals)), target.createWriteStream());
    return { ...totals, bytes: (await stat(file)).size };
  } finally {
    await close();
  }
}

/** The data directory must exist, because opening it would create it. */
async function mustExist({ table, dataDir }: BackupFlags): Promise<void> {
  if (table !== undefined) return;
  await access(dataDir).catch((error: unknown) => {
    throw dataFault(dataDir, error);
  });
}

async function mustBeFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw fileFault(path, error);
  });
  if (found.isDirectory()) throw fileFault(path, { code: 'EISDIR' });
}

/**
 * Validates the whole file as an export, and then stores its contents. Throws StartFault without writing anything if it is not an export.
 */
export async function importFrom(file: string, flags: BackupFlags): Promise<ImportResult & CheckResult> {
  await mustBeFile(file);
  try {
    const { unserved } = await checkLines(linesOf(file));
    return { ...(await importChecked(file, flags)), unserved };
  } catch (error) {
    throw error instanceof BackupError ? new StartFault(`${file}: ${error.message}`) : error;
  }
}

async function importChecked(file: string, flags: BackupFlags): Promise<ImportResult> {
  const { store, close } = await openStore(flags, { purpose: 'import' });
  const work = (): Promise<ImportResult> => importLines(store, linesOf(file), systemClock);
  try {
    return await (flags.table === undefined ? underImport(resolve(flags.dataDir), work) : work());
  } finally {
    await close();
  }
}

/** The lines of a file. Throws BackupError for one that is longer than any object. */
const linesOf = (file: string): AsyncGenerator<string, void> =>
  boundedLines(createReadStream(file), MAX_LINE, () => {
    throw new BackupError(`a line has more than ${MAX_LINE} characters`);
  });

/** Starts new epochs. Resolves with their number. */
export async function restore(flags: BackupFlags): Promise<number> {
  await mustExist(flags);
  const { store, close } = await openStore(flags, { purpose: 'restore' });
  try {
    return await raiseEpochs(store);
  } finally {
    await close();
  }
}
