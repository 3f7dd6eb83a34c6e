import type { Duplex, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { decodeJson } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { comes } from '#lib/server/channel/comes.ts';
import { StartFault } from '../../start-fault.ts';
import type { PodStream } from './pod-stream.ts';
import { SpdyConnection } from './spdy.ts';
import type { Terminal } from './terminal.ts';

/** The protocol of exec and attach inside SPDY, which ends with a Status. */
export const REMOTE_COMMAND = 'v4.channel.k8s.io';

/** The requested streams of a command. */
export interface RemoteStreams {
  readonly stdin: boolean;
  /** Whether the command has a terminal. If so, the user's own terminal, if any, is set to raw mode. */
  readonly tty: boolean;
}

/**
 * Runs a command in a container until it ends, and returns its exit code. Throws StartFault for any other failure, or if the connection
 * broke.
 */
export async function runRemote(
  { connection, over }: PodStream<Duplex>,
  { stdin, tty }: RemoteStreams,
  terminal: Terminal,
): Promise<number> {
  let lost = '';
  void over.then((reason) => (lost = reason));
  const spdy = new SpdyConnection(connection);
  const streams = (streamtype: string): Duplex => spdy.open({ streamtype });
  const last = text(streams('error'));
  const input = stdin ? streams('stdin') : undefined;
  const output = (streamtype: string, to: Writable): Promise<void> => shown(streams(streamtype).end(), to);
  const outputs = [output('stdout', terminal.stdout)];
  if (!tty) outputs.push(output('stderr', terminal.stderr));
  using _ = tty ? sized(streams('resize'), stdin, terminal) : nothing;
  terminal.stdin.on('error', () => input?.destroy());
  if (input !== undefined) terminal.stdin.pipe(input);
  try {
    await Promise.all(outputs);
    return exitCode(await last, () => lost, terminal.stderr);
  } finally {
    if (input !== undefined) terminal.stdin.unpipe(input);
    spdy.close();
  }
}

const nothing: Disposable = { [Symbol.dispose]: () => undefined };

/** Resolves after everything was written, or when the target accepts no more. */
export async function shown(from: Readable, to: Writable): Promise<void> {
  for await (const chunk of from) {
    if (to.destroyed) return;
    if (!to.write(chunk)) await comes('drain', to);
  }
}

/** Sends the size of the terminal at the start and after each change. Switches the terminal to raw mode if requested. */
function sized(resize: Duplex, isRaw: boolean, { stdin, stdout }: Terminal): Disposable {
  const tell = (): void => {
    const { columns, rows } = stdout;
    if (columns !== undefined && rows !== undefined)
      resize.write(`${JSON.stringify({ Width: columns, Height: rows })}\n`);
  };
  tell();
  stdout.on('resize', tell);
  const raw = isRaw && stdin.isTTY === true;
  if (raw) stdin.setRawMode?.(true);
  return {
    [Symbol.dispose]() {
      stdout.off('resize', tell);
      if (raw) stdin.setRawMode?.(false);
    },
  };
}

/** Reads the Status that ends the stream. */
function exitCode(said: string, reason: () => string, stderr: Writable): number {
  if (said === '') throw new StartFault(`the connection broke${reason() === '' ? '' : `: ${reason()}`}`);
  const status = statusIn(said);
  if (status === undefined) throw new StartFault(said.trim());
  if (stringAt(status, 'status') === 'Success') return 0;
  const causes = arrayAt(objectAt(status, 'details') ?? {}, 'causes').filter(isObject);
  const code = causes.find((cause) => stringAt(cause, 'reason') === 'ExitCode');
  if (stringAt(status, 'reason') !== 'NonZeroExitCode' || code === undefined)
    throw new StartFault(stringAt(status, 'message') ?? said);
  const number = Number(stringAt(code, 'message'));
  stderr.write(`command terminated with exit code ${number}\n`);
  return number;
}

function statusIn(said: string): JsonObject | undefined {
  try {
    const { value } = decodeJson(Buffer.from(said));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
