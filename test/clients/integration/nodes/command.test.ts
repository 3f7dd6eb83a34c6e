import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataDirectory, DavitProcess, startMain } from '../davit-process.ts';

test('davit node add works on the server of a data directory, and reports an error in one line', async () => {
  using directory = new DataDirectory();
  using folder = new DataDirectory();
  await using server = await DavitProcess.start(directory.path);
  const output = join(folder.path, 'host');
  const add = async (...args: string[]) => {
    await using program = startMain(['node', 'add', ...args, '--data-dir', directory.path, '--server', server.url]);
    return await program.ended();
  };

  const added = await add('n1', '--kubelet', '--output', output);
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^kubelet --bootstrap-kubeconfig=\/etc\/kubernetes\/bootstrap-kubelet.conf .*=n1\n$/),
    stderr: expect.stringMatching(/^davit: made the ClusterRoleBinding kubeadm:kubelet-bootstrap\n/),
  });
  expect(readdirSync(output).toSorted()).toEqual(['bootstrap-kubelet.conf', 'client-ca.crt', 'kubelet-config.yaml']);

  expect(await add('n2')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nexec davit-node-agent --bootstrap-kubeconfig=.* --hostname-override=n2\n$/),
  });
  await server.program.ended('SIGTERM');
  expect(await add('n2', '--kubelet')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^davit: GET https:.*ECONNREFUSED.*\n$/),
  });
});
