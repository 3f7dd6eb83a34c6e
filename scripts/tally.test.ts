import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AllowedSkips, tally, unreported } from './tally.ts';

const ROOT = join(import.meta.dirname, '..');
const ALLOWED = { 'no recorded answers': ['lib/corpus.test.ts'], 'takes long': ['test/clients/e2e/kubectl/'] };

interface Test {
  readonly status: string;
  readonly skipped?: string;
}
const PASSED: Test = { status: 'passed' };

const aFile = (name: string, tests: readonly Test[], more: { status?: string; message?: string } = {}) => ({
  name: join(ROOT, name),
  status: 'passed',
  message: '',
  ...more,
  assertionResults: tests.map(({ status, skipped }, at) => ({
    fullName: `test ${at}`,
    status,
    meta: skipped === undefined ? {} : { skipped },
  })),
});
const aReport = (...testResults: readonly ReturnType<typeof aFile>[]) => ({ testResults });

describe('a run succeeds', () => {
  test('when tests pass and others are skipped for an allowed reason', () => {
    const report = aReport(
      aFile('lib/corpus.test.ts', [PASSED, { status: 'skipped', skipped: 'no recorded answers' }]),
      aFile('test/clients/e2e/kubectl/get.test.ts', [PASSED, { status: 'skipped', skipped: 'takes long' }]),
    );
    expect(tally(report, ALLOWED, 0)).toEqual({ passed: 2, failed: 0, skipped: 2, faults: [] });
  });
});

describe('a run fails', () => {
  test.each<[string, Test, AllowedSkips, string]>([
    ['that gives no reason', { status: 'skipped' }, ALLOWED, 'skips without a reason'],
    ['that is still to do', { status: 'todo' }, ALLOWED, 'skips without a reason'],
    ['that was never started', { status: 'pending' }, ALLOWED, 'skips without a reason'],
    ['for an unknown reason', { status: 'skipped', skipped: 'tired' }, ALLOWED, 'may not skip in CI: tired'],
    ['for the reason of another file', { status: 'skipped', skipped: 'takes long' }, ALLOWED, 'may not skip in CI'],
    ['for a reason that objects have', { status: 'skipped', skipped: 'constructor' }, ALLOWED, 'may not skip in CI'],
    [
      'for a missing client, even if the list has it',
      { status: 'skipped', skipped: 'missing client: kubectl' },
      { 'missing client: kubectl': ['lib/corpus.test.ts'] },
      'may not skip in CI: missing client: kubectl',
    ],
  ])('because of a skipped test %s', (_, skipping, allowed, fault) => {
    const counted = tally(aReport(aFile('lib/corpus.test.ts', [PASSED, skipping])), allowed, 0);
    expect(counted).toMatchObject({ passed: 1, failed: 1, skipped: 1 });
    expect(counted.faults).toEqual([expect.stringContaining(`lib/corpus.test.ts: test 1: ${fault}`)]);
  });

  test('because of a failed test, once', () => {
    const broken = aFile('lib/a.test.ts', [PASSED, { status: 'failed' }], { status: 'failed' });
    expect(tally(aReport(broken), ALLOWED, 1)).toEqual({ passed: 1, failed: 1, skipped: 0, faults: [] });
  });

  test('because of a file that cannot be loaded, with its message', () => {
    const message = 'missing client: go is not installed';
    const broken = aFile('test/clients/e2e/go.test.ts', [], { status: 'failed', message });
    const counted = tally(aReport(broken, aFile('lib/a.test.ts', [PASSED])), ALLOWED, 1);
    expect(counted).toEqual({ passed: 1, failed: 1, skipped: 0, faults: [`test/clients/e2e/go.test.ts: ${message}`] });
  });

  test.each<[string, unknown]>([
    ['no report', undefined],
    ['a report of something else', { version: 1 }],
    ['a report without files', aReport()],
    ['files without tests', aReport(aFile('lib/a.test.ts', []))],
    ['files that skip', aReport(aFile('lib/corpus.test.ts', [{ status: 'skipped', skipped: 'no recorded answers' }]))],
  ])('because of %s', (_, report) => {
    expect(tally(report, ALLOWED, 0)).toMatchObject({ passed: 0, failed: 1, faults: ['no test passed'] });
  });

  test('because of an exit code without a failed test', () => {
    const counted = tally(aReport(aFile('lib/a.test.ts', [PASSED])), ALLOWED, 1);
    expect(counted).toMatchObject({ passed: 1, failed: 1, faults: ['vitest ended with exit code 1'] });
  });
});

test('names a test file that no project ran', () => {
  const reports = [aReport(aFile('lib/a.test.ts', [PASSED])), aReport(aFile('test/b.test.ts', [PASSED])), undefined];
  expect(unreported(['lib/a.test.ts', 'lib/c.test.ts', 'test/b.test.ts'], reports)).toEqual(['lib/c.test.ts']);
});

test('prints only three numbers, and faults separately', () => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-tally-'));
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(aReport(aFile('lib/a.test.ts', [PASSED, { status: 'skipped' }]))));
  const count = ['scripts/tally.ts', 'count', '0', path];
  expect(execFileSync(process.execPath, count, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })).toBe('1 1 1\n');
  rmSync(folder, { recursive: true });
});

test('the allowed skips name existing files, and no missing client', () => {
  const allowed = JSON.parse(readFileSync(join(ROOT, 'test/allowed-skips.json'), 'utf8')) as AllowedSkips;
  expect(Object.keys(allowed)).toEqual([
    'DAVIT_FIXTURES is not set',
    'mounts need root and DAVIT_PRIVATE_MOUNTS=1 in a mount namespace (unshare --mount)',
    'the kernel has NFS',
    'a change of owner needs root',
    'device files need root',
    'fish is not installed',
    'zsh is not installed',
    'runs with DAVIT_E2E_TEST and DAVIT_E2E_IMAGES',
    'runs with DAVIT_CSI_PROGRAMS',
    'runs with DAVIT_FULL=1',
  ]);
  const files = Object.values(allowed).flat();
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
