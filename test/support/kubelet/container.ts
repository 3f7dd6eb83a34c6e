import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { mortal } from '#test/support/mortal.ts';
import { ContainerLog } from './container-log.ts';
import type { RemoteCommand, TerminalSize } from './remote-command.ts';

/** The fields of a container's spec that its processes need. */
export interface ContainerSpec {
  readonly name: string;
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdinOnce: boolean;
  readonly tty: boolean;
}

const SUCCESS: JsonObject = { metadata: {}, status: 'Success' };

/** A container whose processes run on this machine, in a folder. Without a command it has no process of its own. */
export class Container {
  readonly log = new ContainerLog();
  readonly #spec: ContainerSpec;
  readonly #folder: string;
  readonly #attached = new Set<RemoteCommand>();
  readonly #children = new Set<ChildProcessWithoutNullStreams>();
  #main: ChildProcessWithoutNullStreams | undefined;

  constructor(spec: ContainerSpec, folder: string) {
    this.#spec = spec;
    this.#folder = folder;
  }

  /** Clients that are currently attached. */
  get attached(): number {
    return this.#attached.size;
  }

  /** Runs the container's own process, and resolves with its exit code. Never resolves if there is no process. */
  async run(): Promise<number> {
    const { command, stdin, tty } = this.#spec;
    if (command.length === 0) return new Promise(() => {});
    const main = this.#spawn(command, tty ? { Width: 80, Height: 24 } : undefined);
    this.#main = main;
    if (!stdin) main.stdin.end();
    main.stdout.on('data', (chunk: Buffer) => this.#heard('stdout', chunk));
    main.stderr.on('data', (chunk: Buffer) => this.#heard('stderr', chunk));
    const code = await exitOf(main);
    this.log.end();
    for (const client of this.#attached) client.end(SUCCESS);
    return code;
  }

  /**
   * Serves `attach`. A client that closes its standard input detaches. If the container's input can be read only once, this ends that input
   * instead.
   */
  attach(client: RemoteCommand): void {
    this.#attached.add(client);
    client.stdin.once('end', () => {
      if (this.#spec.stdinOnce) this.#main?.stdin.end();
      else if (client.hasStdin) client.end(SUCCESS);
    });
    client.stdin.on('data', (chunk: Buffer) => void this.#main?.stdin.write(chunk));
    client.stdout.once('close', () => this.#attached.delete(client));
  }

  /** Serves `exec`. */
  exec(client: RemoteCommand): void {
    if (!client.tty) return this.#exec(client, undefined);
    let child: string | undefined;
    client.onSize((size) => {
      if (child === undefined) this.#exec(client, size);
      else void spawn('stty', ['-F', readFileSync(join(this.#folder, 'tty'), 'utf8').trim(), ...rowsAndColumns(size)]);
      child = 'started';
    });
  }

  /** Ends all processes. */
  kill(): void {
    this.log.end();
    for (const child of this.#children) child.kill('SIGKILL');
  }

  #heard(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    this.log.take(chunk.toString());
    for (const client of this.#attached) client[stream].write(chunk);
  }

  #exec(client: RemoteCommand, size: TerminalSize | undefined): void {
    const child = this.#spawn(client.command, size);
    client.stdin.pipe(child.stdin);
    child.stdout.pipe(client.stdout, { end: false });
    child.stderr.pipe(client.stderr, { end: false });
    exitOf(child).then(
      (code) => client.end(code === 0 ? SUCCESS : failed(code)),
      (error: unknown) => client.end(notStarted(String(error))),
    );
  }

  #spawn(command: readonly string[], size: TerminalSize | undefined): ChildProcessWithoutNullStreams {
    const [program = '', ...args] = size === undefined ? command : onTerminal(command, size);
    const child = mortal(spawn(program, args, { cwd: this.#folder, env: { PATH: process.env['PATH'] ?? '' } }));
    child.stdin.on('error', () => {});
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return child;
  }
}

/** `script` provides a terminal for a command. The terminal's name is saved so that its size can be changed later. */
function onTerminal(command: readonly string[], size: TerminalSize): string[] {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const inside = `tty > tty; stty ${rowsAndColumns(size).join(' ')}; exec ${quoted}`;
  return ['script', '--quiet', '--return', '--flush', '--command', inside, '/dev/null'];
}

const rowsAndColumns = ({ Width, Height }: TerminalSize): string[] => ['rows', `${Height}`, 'cols', `${Width}`];

/** Rejects if the program cannot run. The exit code for a signal is the shell's. */
async function exitOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 137;
}

const failed = (code: number): JsonObject => ({
  metadata: {},
  status: 'Failure',
  message: `command terminated with non-zero exit code: error executing command, exit code ${code}`,
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

const notStarted = (why: string): JsonObject => ({
  metadata: {},
  status: 'Failure',
  message: `Internal error occurred: error executing command in container: ${why}`,
  reason: 'InternalError',
  code: 500,
});
