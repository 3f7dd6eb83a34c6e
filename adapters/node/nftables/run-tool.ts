import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Time-out in ms after which a program is killed. */
const TIMEOUT = 60_000;
/** Maximum bytes of its output. A program that prints more is killed. */
const MAX_OUTPUT = 64 << 20;
/** Maximum characters of standard error in an error. */
const MAX_REASON = 2000;

/**
 * Runs a program of the host with this standard input. Returns its standard output. The input is a file, so that a program is either
 * started with its complete input or, if this process is killed first, never started. Rejects with an Error that contains the program's own
 * message if the program fails or does not exist.
 */
export async function runTool(program: string, args: readonly string[], input: string): Promise<string> {
  const file = input === '' ? undefined : await unnamedFile(input);
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    return await outputOf(program, spawn(program, [...args], { env, stdio: [file?.fd ?? 'ignore', 'pipe', 'pipe'] }));
  } finally {
    await file?.close();
  }
}

/** Creates a file that is deleted when it is closed. Its position is at the start. */
async function unnamedFile(text: string): Promise<FileHandle> {
  const folder = mkdtempSync(join(tmpdir(), 'davit-'));
  const path = join(folder, 'input');
  const file = await open(path, 'wx+', 0o600).finally(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = Buffer.from(text);
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, 0);
  if (bytesWritten < bytes.length) throw new Error(`${folder} has no room`);
  return file;
}

function outputOf(program: string, child: ChildProcess): Promise<string> {
  const stdout: Buffer[] = [];
  let length = 0;
  let said = '';
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      child.kill('SIGKILL');
      reject(new ToolError(program, reason));
    };
    const timer = setTimeout(() => fail(`it took longer than ${TIMEOUT / 1000} s`), TIMEOUT);
    child.on('error', (error) => {
      clearTimeout(timer);
      fail('code' in error && error.code === 'ENOENT' ? 'the program is not installed' : error.message);
    });
    child.stdout?.on('data', (bytes: Buffer) => {
      length += bytes.length;
      if (length > MAX_OUTPUT) fail(`its output is longer than ${MAX_OUTPUT} bytes`);
      else stdout.push(bytes);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, MAX_REASON)));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(stdout).toString());
      else fail(said.trim() === '' ? `it ended with ${signal ?? `code ${code}`}` : said.trim());
    });
  });
}

/** The error of a program that failed or does not exist. */
export class ToolError extends Error {
  /** The program's own message, without its name. */
  readonly reason: string;

  constructor(program: string, reason: string) {
    super(`${program}: ${reason}`);
    this.name = 'ToolError';
    this.reason = reason;
  }
}
