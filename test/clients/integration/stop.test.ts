import { expect, test } from 'vitest';
import { DataDirectory, DavitProcess, startMain } from './davit-process.ts';

test('status shows a running server, stop ends it and waits, and both report that none runs', async () => {
  using directory = new DataDirectory();
  const run = (command: string) => startMain([command, '--data-dir', directory.path]).ended();
  await using davit = await DavitProcess.start(directory.path);
  const { pid } = davit.program.child;
  const status = await run('status');
  expect(status).toMatchObject({ code: 0, stderr: '' });
  for (const fact of [`Process +${pid}`, `Address +${davit.url}`, 'Ready +yes', `Kubeconfig +${davit.kubeconfig}`])
    expect(status.stdout).toMatch(new RegExp(`^${fact}$`, 'm'));

  expect(await run('stop')).toEqual({
    code: 0,
    stdout: `stopped the server of ${directory.path} (process ${pid})\n`,
    stderr: '',
  });
  expect((await davit.program.ended()).code).toBe(0);

  const none = `no server runs with the data directory ${directory.path}`;
  expect(await run('stop')).toMatchObject({ code: 1, stderr: expect.stringContaining(none) });
  expect(await run('status')).toMatchObject({ code: 3, stdout: expect.stringContaining(none) });
});

test('stop reports a server that does not end in time', async () => {
  using directory = new DataDirectory();
  await using davit = await DavitProcess.start(directory.path);
  davit.program.child.kill('SIGSTOP');
  const stopping = startMain(['stop', '--data-dir', directory.path, '--timeout', '100ms']);
  const { code, stderr } = await stopping.ended();
  davit.program.child.kill('SIGCONT');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^davit: process \d+ still runs; wait longer with --timeout/),
  ]);
});
