import { lstat, stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { StartFault } from '../../start-fault.ts';
import { exec } from './exec.ts';
import { pack } from './pack.ts';
import { type StreamSession, streaming } from './session.ts';
import { unpack } from './unpack.ts';

interface Flags {
  readonly container?: string;
  readonly preserve: boolean;
}

/** A path in a pod, or on this machine. */
export interface Place {
  /** The pod's `NAME`; undefined for this machine. */
  readonly pod?: string;
  readonly namespace?: string;
  readonly path: string;
}

/** Adds `cp`, which copies files and folders to and from a container that has `tar`. It works via every front door. */
export function cpCommand(command: Command): void {
  command
    .command('cp')
    .description('copy files and folders from and to a container')
    .argument('<source>', 'PATH or [NAMESPACE/]POD:PATH')
    .argument('<target>', 'the same; one of both is in a pod')
    .option('-c, --container <name>', 'the container')
    .option('--no-preserve', 'without owner and permissions')
    .action(async (source: string, target: string, flags: Flags, self: Command) => {
      const [from, to] = [placeOf(source), placeOf(target)];
      if ((from.pod === undefined) === (to.pod === undefined))
        throw new StartFault('one of source and target must be POD:PATH');
      const { namespace, pod = '' } = from.pod === undefined ? to : from;
      if (namespace !== undefined) self.parent?.setOptionValue('namespace', namespace);
      await streaming(self, pod, (session) =>
        from.pod === undefined
          ? upload(session, from.path, to.path, flags)
          : download(session, from.path, to.path, flags),
      );
    });
}

/** Parses an argument as a location. A colon after the first slash belongs to the path. Throws StartFault for an empty path. */
export function placeOf(given: string): Place {
  const [, namespace, pod, path = given] = /^(?:([^/:.][^/:]*)\/)?([^/:]+):([^]*)$/.exec(given) ?? [];
  if (path === '') throw new StartFault('filepath can not be empty');
  return { path, ...(pod !== undefined && { pod }), ...(namespace !== undefined && { namespace }) };
}

/** Runs `command` with the given input and output. Its standard error is passed to the user. */
async function run(
  session: StreamSession,
  words: readonly string[],
  { container, stdin, stdout }: { readonly container: string; readonly stdin?: Readable; readonly stdout: Writable },
): Promise<number> {
  const terminal = { stdin: stdin ?? Readable.from([]), stdout, stderr: session.terminal.stderr };
  return exec({ ...session, terminal }, words, { container, ...(stdin !== undefined && { stdin: true as const }) });
}

async function upload(session: StreamSession, from: string, to: string, flags: Flags): Promise<number> {
  const exists = await lstat(from).then(
    () => true,
    () => false,
  );
  if (!exists) throw new StartFault(`${from} doesn't exist in local filesystem`);
  const container = session.container(flags.container);
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const quiet = { ...session, terminal: { ...session.terminal, stderr: sink } };
  const isFolder = (await run(quiet, ['test', '-d', to], { container, stdout: sink })) === 0;
  const target = isFolder ? posix.join(to, basename(from)) : posix.normalize(to);
  const name = posix.basename(target);
  const owner = flags.preserve ? [] : ['--no-same-permissions', '--no-same-owner'];
  const words = ['tar', ...owner, '-xmf', '-', '-C', posix.dirname(target)];
  const archive = Readable.from(pack(from, name));
  const faults: Error[] = [];
  archive.on('error', (error) => faults.push(error));
  const code = await run(session, words, { container, stdin: archive, stdout: session.terminal.stdout });
  for (const fault of faults) throw fault;
  return code;
}

async function download(session: StreamSession, from: string, to: string, flags: Flags): Promise<number> {
  const container = session.container(flags.container);
  const source = posix.normalize(from).replace(/\/$/, '');
  const folder = await stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const target = folder ? join(to, posix.basename(source)) : to;
  const archive = new PassThrough().on('error', () => undefined);
  const { stderr } = session.terminal;
  const warn = (line: string): void => void stderr.write(line);
  const unpacked = unpack({ archive, source: source.replace(/^\/+/, ''), target, warn }).finally(() =>
    archive.destroy(),
  );
  const told = new PassThrough();
  const said = text(told);
  const ran = run({ ...session, terminal: { ...session.terminal, stderr: told } }, ['tar', 'cf', '-', source], {
    container,
    stdout: archive,
  }).finally(() => {
    archive.end();
    told.end();
  });
  const [code, written] = await Promise.all([ran, unpacked]);
  if (code !== 0) stderr.write(await said);
  if (written === 0 && code === 0) throw new StartFault(`${from} has neither files nor folders to copy`);
  return code;
}
