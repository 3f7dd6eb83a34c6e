import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { RunningProgram, runProgram } from '#test/clients/e2e/program.ts';
import { freshCopy } from '#test/support/fresh-copy.ts';
import { ownEtc } from './clean-machine.ts';
import { ContainerRuntime } from './container-runtime.ts';
import { BUSYBOX, PAUSE } from './images.ts';
import { KUBECTL } from './test-node.ts';

/** Debian's settings of containerd, adjusted to the permissions of a nested machine. */
const RUNTIME = {
  networks: '/etc/cni/net.d',
  sandbox: { ...PAUSE, name: 'registry.k8s.io/pause:3.6' },
  images: [{ ...BUSYBOX, name: 'docker.io/library/busybox:1.37' }],
};
const SECTION = '## Your first node in five minutes\n';

/** The commands in the section, one text per block. */
function blocks(readme: string): string[] {
  const [, behind = ''] = readme.split(SECTION);
  const [section = ''] = behind.split('\n## ');
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = '']) => text);
}

/** The processes of a terminal, which end with it. npm links the copy's programs in a separate cache. */
class Terminal implements AsyncDisposable {
  readonly program: RunningProgram;

  constructor(commands: string, cwd: string) {
    this.program = new RunningProgram('setsid', ['sh', '-ec', commands], {
      cwd,
      env: { npm_config_cache: join(cwd, '.npm') },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pid, exitCode } = this.program.child;
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL'); // the whole process group
    await this.program[Symbol.asyncDispose]();
  }
}

let folder: string;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("README.md's first node runs a pod, by its commands word for word from a clean folder", async () => {
  folder = mkdtempSync('/run/davit-readme-');
  using _etc = ownEtc(folder);
  const copy = freshCopy(folder);
  const [install = '', agent = '', use = '', ...rest] = blocks(readFileSync(join(copy, 'README.md'), 'utf8'));
  expect(rest).toEqual([]);
  const [apt, ...server] = install.split('\n');
  expect(apt).toMatch(/^apt-get install -y containerd /);
  console.log(`not run, because here is no network and the packages are installed: ${apt}`);
  mkdirSync(RUNTIME.networks, { recursive: true });
  await using _runtime = await ContainerRuntime.start(folder, RUNTIME);
  await using first = new Terminal(server.join('\n'), copy);
  await first.program.says(/is ready/);
  await using second = new Terminal(agent, copy);
  const outcome = await runProgram('sh', ['-ec', use], { cwd: copy, env: { PATH: pathWithKubectl() } });
  expect(outcome.code, `${outcome.stderr}\n${second.program.stderr}`).toBe(0);
  expect(outcome.stdout).toMatch(/^hello from hello$/m);
  const kubeconfig = join(copy, '.davit/kubeconfig');
  await runProgram(KUBECTL, ['--kubeconfig', kubeconfig, 'delete', 'pod', 'hello', '--grace-period=1']);
});

/** Tests with the newest kubectl first. */
const pathWithKubectl = (): string => `${join(KUBECTL, '..')}:${process.env['PATH'] ?? ''}`;
