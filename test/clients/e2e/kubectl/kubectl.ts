import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestOptions } from 'vitest';
import { type Fetched, pathOf } from '#test/support/clients/cache.ts';
import { KUBECTLS, STREAM_KUBECTLS } from '#test/support/clients/kubectl.ts';
import { needing, skipUnless } from '#test/support/skip.ts';
import { type Cluster, useCluster } from '../cluster.ts';
import { type Outcome, RunningProgram, runProgram } from '../program.ts';

/** One kubectl for one cluster, with its own caches. */
export class Kubectl {
  /** A version such as `1.36`, or another name; '' if it does not matter. */
  readonly version: string;
  readonly #path: string;
  readonly #cluster: Cluster;
  readonly #env: Record<string, string>;

  constructor(path: string, cluster: Cluster, version = '') {
    this.version = version;
    this.#path = path;
    this.#cluster = cluster;
    const home = join(cluster.folder, 'home');
    mkdirSync(home, { recursive: true });
    // Disables garbage collection, because commands end before they need the memory.
    this.#env = { HOME: home, KUBECACHEDIR: join(home, 'cache'), KUBECONFIG: cluster.kubeconfig, GOGC: 'off' };
  }

  /** Runs `kubectl <arguments split at spaces>`, whether or not it succeeds. */
  try(command: string, options: { input?: string; env?: Record<string, string> } = {}): Promise<Outcome> {
    const { input = '', env = {} } = options;
    return runProgram(this.#path, words(command), { env: { ...this.#env, ...env }, cwd: this.#cluster.folder, input });
  }

  /** Runs a shell script on its own terminal, where `kubectl` is this one. */
  onTerminal(script: string, env: Record<string, string> = {}): Promise<Outcome> {
    const whole = `kubectl() { command ${this.#path} "$@"; }; ${script}`;
    const args = ['--quiet', '--return', '--flush', '--command', whole, '/dev/null'];
    return runProgram('script', args, { env: { ...this.#env, ...env, SHELL: '/bin/sh' }, cwd: this.#cluster.folder });
  }

  /** Runs a command that must succeed, and returns its output without the last line end. */
  async run(command: string, options: { input?: string; env?: Record<string, string> } = {}): Promise<string> {
    const { code, stdout, stderr } = await this.try(command, options);
    if (code !== 0) throw new Error(`kubectl ${command}: exit code ${code}\n${stdout}${stderr}`);
    return stdout.trimEnd();
  }

  /** Runs a command that must fail, and returns its error output. */
  async fails(command: string, options: { input?: string } = {}): Promise<string> {
    const { code, stdout, stderr } = await this.try(command, options);
    if (code === 0) throw new Error(`kubectl ${command} succeeded\n${stdout}`);
    return stderr.trimEnd();
  }

  /** `get -o json` of one object or list. */
  async json<T>(command: string): Promise<T> {
    return JSON.parse(await this.run(`${command} -o json`)) as T;
  }

  start(command: string, options: { input?: string; env?: Record<string, string> } = {}): RunningProgram {
    const env = { ...this.#env, ...options.env };
    return new RunningProgram(this.#path, words(command), { ...options, env, cwd: this.#cluster.folder });
  }

  /** Writes a file into kubectl's working directory, and returns its name. */
  file(name: string, text: string): string {
    writeFileSync(join(this.#cluster.folder, name), text);
    return name;
  }
}

/** Splits at spaces, except within single quotes, which are dropped. */
function words(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

const isFull = process.env['DAVIT_FULL'] !== undefined;
/** Selects the oldest and the newest; all of them in a full run. */
const isWanted = ({ title }: { readonly title: string }): boolean => isFull || /^1\.3[27]$/.test(title);
const kubectls = await Promise.all(KUBECTLS.map(clientOf));
const ofStreams = [...kubectls.filter(isWanted), ...(await Promise.all(isFull ? STREAM_KUBECTLS.map(clientOf) : []))];

async function clientOf(kubectl: (typeof KUBECTLS)[number]): Promise<Client> {
  const { title } = kubectl;
  if (!isWanted(kubectl)) return { title, options: skipUnless(false, 'runs with DAVIT_FULL=1') };
  const fetched = await kubectl.install();
  return { title, fetched, options: needing(fetched) };
}

type Tests<C> = (kubectl: () => Kubectl, cluster: () => C) => void;

interface Client {
  readonly title: string;
  readonly fetched?: Fetched;
  readonly options: TestOptions;
}

/** Runs the tests once with each kubectl, each with its own server. */
export const describeKubectls = (title: string, tests: Tests<Cluster>): void =>
  describeEach(kubectls, useCluster, title, tests);

/** The same with another kind of cluster, with additional kubectls in a full run. */
export const describeStreams = <C extends Cluster>(use: () => () => C, title: string, tests: Tests<C>): void =>
  describeEach(ofStreams, use, title, tests);

function describeEach<C extends Cluster>(
  clients: readonly Client[],
  use: () => () => C,
  title: string,
  tests: Tests<C>,
): void {
  for (const { title: version, fetched = { missing: version }, options } of clients)
    describe(`${title}, kubectl ${version}`, options, () => {
      const cluster = use();
      tests(() => new Kubectl(pathOf(fetched), cluster(), version), cluster);
    });
}
