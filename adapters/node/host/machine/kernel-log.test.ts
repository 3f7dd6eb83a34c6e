import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HostKernelLog } from './kernel-log.ts';

test('reads each record once, without its header', () => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-kmsg-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'kmsg');
  writeFileSync(path, '6,1,2,-;cni0: port 1 entered blocking state\n');
  using log = new HostKernelLog(path);
  expect(log.read()).toEqual(['cni0: port 1 entered blocking state\n']);
  expect(log.read()).toEqual([]);
  appendFileSync(path, '4,2,3,-;stress invoked oom-killer: order=0\n');
  expect(log.read()).toEqual(['stress invoked oom-killer: order=0\n']);
});

test('reports a kernel without a log', () => {
  using log = new HostKernelLog('/nonexistent/kmsg');
  expect(() => log.read()).toThrow('ENOENT');
});
