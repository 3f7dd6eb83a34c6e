import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '#test/clients/e2e/program.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { needing } from '#test/support/skip.ts';
import { DataDirectory, startMain } from './davit-process.ts';

const newest = await newestKubectl();

test(
  'kubectl reaches the server through its own file with its other contexts, and the printed command removes the server',
  needing(newest),
  async () => {
    const kubectl = pathOf(newest);
    using folder = new DataDirectory();
    const KUBECONFIG = join(folder.path, 'config');
    const ask = async (...args: string[]): Promise<string[]> =>
      (await runProgram(kubectl, args, { env: { KUBECONFIG } })).stdout.split('\n').filter((line) => line !== '');
    const names = () => ask('config', 'get-contexts', '-o', 'name');
    writeFileSync(
      KUBECONFIG,
      'contexts: [{name: prod, context: {cluster: prod, user: prod}}]\ncurrent-context: prod\n',
    );
    const args = ['--merge-kubeconfig', '--port', '0', '--data-dir', join(folder.path, 'data')];
    await using davit = startMain(args, { KUBECONFIG });
    await davit.says(/To remove it:\n.*\n/);
    expect(davit.stdout).toContain(`${KUBECONFIG} has it as its current context, davit-local.`);
    expect(await ask('get', 'namespace', 'default', '-o', 'name')).toEqual(['namespace/default']);
    expect(await names()).toEqual(['davit-local', 'prod']);
    const removal = /To remove it:\n +(.*)\n/.exec(davit.stdout)?.[1] ?? '';
    for (const command of removal.split('; ')) await ask(...command.split(' ').slice(1));
    expect(await names()).toEqual(['prod']);
    expect(await ask('config', 'get-clusters')).toEqual(['NAME']);
    expect(await ask('config', 'get-users')).toEqual(['NAME']);
  },
);
