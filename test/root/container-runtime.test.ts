import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ContainerRuntime, ctr } from './container-runtime.ts';

test('containerd has its plugin for Kubernetes and the images of the tests', async () => {
  await using runtime = await ContainerRuntime.start(mkdtempSync(join(tmpdir(), 'davit-containerd-')));
  expect(ctr('images', 'list', '-q').trim().split('\n')).toEqual(
    expect.arrayContaining(['localhost/busybox:1', 'localhost/pause:1']),
  );
  expect(ctr('plugins', 'list'), runtime.log).toMatch(/io\.containerd\.grpc\.v1\s+cri\s.*\bok\b/);
});
