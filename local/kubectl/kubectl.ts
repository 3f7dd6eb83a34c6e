import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { StartFault } from '../start-fault.ts';

/** An error with kubectl's message. */
export class KubectlFault extends StartFault {
  /** Whether the server returned 404 for the object or path. */
  readonly isNotFound: boolean;
  readonly isForbidden: boolean;

  constructor(stderr: string) {
    super(stderr.trim().replace(/^error: /i, '') || 'kubectl failed');
    this.isNotFound = stderr.includes('(NotFound)');
    this.isForbidden = stderr.includes('(Forbidden)');
  }
}

/** Runs the kubectl that called this plugin, with the same flags, so the same credentials apply. Methods throw KubectlFault. */
export interface Kubectl {
  /** Runs kubectl and returns its standard output. */
  run(args: readonly string[]): Promise<string>;
  /**
   * The object that kubectl prints; undefined if it prints none. `partly` accepts an object along with an error about a part of the
   * request.
   */
  object(args: readonly string[], options?: { readonly partly: boolean }): Promise<JsonObject | undefined>;
  /** The completions of the last word, with cobra's directive at the end. */
  complete(words: readonly string[]): Promise<string>;
  /** The response to a GET of a path. */
  get(path: string): Promise<unknown>;
  /** The response to a POST of JSON to a path. */
  post(path: string, body: unknown): Promise<unknown>;
}

/** `$KUBECTL`, or the one on the PATH. */
export const kubectlProgram = (): string => process.env['KUBECTL'] ?? 'kubectl';

/** Runs kubectl with these flags for the connection. */
export function kubectl(connection: readonly string[], program = kubectlProgram()): Kubectl {
  const ask = (args: readonly string[], input?: string) => run(program, args, input);
  const whole = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await ask([...args, ...connection], input);
    if (code !== 0) throw new KubectlFault(stderr);
    return stdout;
  };
  return {
    run: (args) => whole(args),
    complete: async (words) => (await ask(['__complete', ...connection, ...words])).stdout,
    async object(args, { partly } = { partly: false }) {
      const { code, stdout, stderr } = await ask([...args, ...connection, '-o', 'json']);
      if (code !== 0 && !(partly && stdout !== '')) throw new KubectlFault(stderr);
      const printed: Json = JSON.parse(stdout === '' ? 'null' : stdout);
      return isObject(printed) ? printed : undefined;
    },
    get: async (path) => JSON.parse(await whole(['get', '--raw', path])),
    post: async (path, body) => JSON.parse(await whole(['create', '--raw', path, '-f', '-'], JSON.stringify(body))),
  };
}

async function run(program: string, args: readonly string[], input: string | undefined) {
  const child = spawn(program, args, { stdio: [input === undefined ? 'inherit' : 'pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', () => reject(new StartFault(`cannot run ${program}; put kubectl on the PATH`)));
    child.once('close', (code) => resolve(code ?? 1));
  });
  child.stdin?.on('error', () => undefined); // it exited before it read all input; its exit code has the reason
  child.stdin?.end(input);
  const [code, stdout, stderr] = await Promise.all([
    ended,
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  return { code, stdout, stderr };
}
