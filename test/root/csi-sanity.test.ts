import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '#test/clients/e2e/program.ts';
import { skipUnless } from '#test/support/skip.ts';
import { FolderDriver } from './csi/driver.ts';
import { PROGRAMS } from './csi/hostpath.ts';

const needs = skipUnless(PROGRAMS !== '', 'runs with DAVIT_CSI_PROGRAMS');

test('upstream’s csi-sanity finds no fault in the driver that these tests use', needs, async () => {
  const folder = '/run/csi-sanity'; // the mounts of the run are removed with it
  mkdirSync(folder);
  const socket = join(folder, 'csi.sock');
  await using _driver = await FolderDriver.startAlone(socket);
  const places = [`--csi.mountdir=${join(folder, 'target')}`, `--csi.stagingdir=${join(folder, 'staging')}`];
  const size = ['--csi.testvolumesize=1048576', '--csi.testvolumeexpandsize=2097152'];
  const flags = [`--csi.endpoint=unix://${socket}`, ...places, ...size, '--ginkgo.no-color'];
  const { code, stdout } = await runProgram(join(PROGRAMS, 'csi-sanity'), flags);
  expect(code, stdout.slice(-10_000)).toBe(0);
  const [, ran = '0'] = /Ran (\d+) of \d+ Specs/.exec(stdout) ?? [];
  console.log(`${ran} checks of csi-sanity ran`);
  expect(Number(ran)).toBeGreaterThan(30);
});
