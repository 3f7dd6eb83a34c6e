import type { Execution, ExecutionEnd } from '#lib/machinery/execution.ts';
import type { CacheFile, CacheStore } from './cache.ts';
import type { Invocation } from './invoke.ts';

/** A cache in memory for tests. Every file has the modification time 0. */
export class MemoryCache implements CacheStore {
  readonly files = new Map<string, Uint8Array>();

  names(): Promise<readonly string[]> {
    return Promise.resolve([...this.files.keys()]);
  }

  read(name: string): Promise<CacheFile | undefined> {
    const bytes = this.files.get(name);
    return Promise.resolve(bytes === undefined ? undefined : { bytes, written: 0 });
  }

  write(name: string, bytes: Uint8Array): Promise<void> {
    this.files.set(name, bytes);
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.files.delete(name);
    return Promise.resolve();
  }
}

/** A plugin call: its command, the plugin's name and its standard input. */
export type PluginCall = readonly [command: string, plugin: string, stdin: string];

/** Fake plugins in `/bin` for tests, backed by a function. A returned text is the output of a successful run. */
export class FakePlugins implements Invocation {
  readonly path = ['/absent', '/bin'];
  readonly calls: PluginCall[] = [];
  readonly environments: Execution['env'][] = [];
  readonly waits: number[] = [];
  readonly clock = { sleep: (milliseconds: number) => Promise.resolve(void this.waits.push(milliseconds)) };
  readonly #answer: (command: string, plugin: string) => string | Partial<ExecutionEnd>;

  constructor(answer: (command: string, plugin: string) => string | Partial<ExecutionEnd> = () => '') {
    this.#answer = answer;
  }

  isFile(path: string): Promise<boolean> {
    return Promise.resolve(path.startsWith('/bin/') && !path.endsWith('/absent'));
  }

  run = ({ path, env, stdin }: Execution): Promise<ExecutionEnd> => {
    const command = env.find(({ name }) => name === 'CNI_COMMAND')?.value ?? '';
    const plugin = path.slice('/bin/'.length);
    this.calls.push([command, plugin, stdin]);
    this.environments.push(env);
    const answer = this.#answer(command, plugin);
    const end = { stdout: Buffer.from(typeof answer === 'string' ? answer : ''), stderr: '' };
    return Promise.resolve(typeof answer === 'string' ? end : { ...end, ...answer });
  };
}
