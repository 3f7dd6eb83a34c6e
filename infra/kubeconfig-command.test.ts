import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programOnPath } from '#test/support/clients/cache.ts';
import { needing } from '#test/support/skip.ts';
import { kubeconfigCommand } from './kubeconfig-command.ts';

const kubectl = await programOnPath('kubectl', 'help');

test('the printed line writes a kubeconfig that kubectl reads', needing(kubectl), () => {
  const KUBECONFIG = join(mkdtempSync(join(tmpdir(), 'davit-kubeconfig-')), 'config');
  const env = { ...process.env, KUBECONFIG };
  const command = kubeconfigCommand({
    clusterId: 'blue',
    endpoint: 'https://a.example.com/davit',
    region: 'eu-west-1',
  });
  expect(spawnSync('sh', ['-c', command], { env }).status).toBe(0);
  const { stdout } = spawnSync('kubectl', ['config', 'view', '--minify', '-o', 'json'], { env, encoding: 'utf8' });
  const { clusters, users } = JSON.parse(stdout);
  expect(clusters).toEqual([{ name: 'blue', cluster: { server: 'https://a.example.com/davit' } }]);
  expect(users[0].user.exec).toMatchObject({
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    command: 'aws',
    args: ['eks', 'get-token', '--cluster-name', 'blue', '--region', 'eu-west-1'],
  });
});
