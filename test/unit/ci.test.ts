import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const BUSY = 'node -e "for (let i = 0; i % 1e7 > 0 || process.cpuUsage().user < 2e6; i++);"';

/** Runs steps as .ci/run does. Returns the exit code and the lines of the output. */
function runSteps(steps: string): { code: number | null; lines: readonly string[] } {
  const logs = mkdtempSync(join(tmpdir(), 'steps-'));
  const script = `source .ci/steps.sh; logs=${logs} folder=${logs}; trap overrun USR1; ${steps}; summary; [ $failed -eq 0 ]`;
  const environment = { ...process.env, DAVIT_CI: undefined };
  const { status, stdout } = spawnSync('bash', ['-uo', 'pipefail', '-c', `export DAVIT_CI=$$; ${script}`], {
    cwd: ROOT,
    env: environment,
    encoding: 'utf8',
  });
  return { code: status, lines: stdout.trim().split('\n') };
}

test('counts steps, and passes if all of them passed', () => {
  const { code, lines } = runSteps('step one 60 60 true; begin two 60 60 echo hello; finish two');
  expect(code).toBe(0);
  expect(lines).toContain('hello');
  expect(lines.at(-1)).toBe('2 passed, 0 failed, 0 skipped');
});

test('fails if a step fails', () => {
  const { code, lines } = runSteps('step one 60 60 false');
  expect(code).toBe(1);
  expect(lines).toContain('::: one FAILED');
  expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
});

test('fails a step whose children use more than 1.5 times its processor time', () => {
  const { code, lines } = runSteps(`step busy 60 0 sh -c '${BUSY}'`);
  expect(code).toBe(1);
  expect(lines).toContain('::: busy FAILED: it used more than 1.5 times its budget of processor time');
});

test('warns of a step that only takes longer than its budget', () => {
  const { code, lines } = runSteps('step slow 0 60 sleep 1');
  expect(code).toBe(0);
  expect(lines).toContain('::: WARNING: slow took longer than its budget');
});

test('adds the tests of a report', () => {
  const suite = `suite step tests 60 60 sh -c 'cp "$0" "\${3#*=}"'`;
  const report = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.json');
  const tests = ['passed', 'passed'].map((status, at) => ({ fullName: `test ${at}`, status, meta: {} }));
  const file = { name: join(ROOT, 'lib/a.test.ts'), status: 'passed', startTime: 0, endTime: 4_000 };
  writeFileSync(report, JSON.stringify({ testResults: [{ ...file, assertionResults: tests }] }));
  const { lines } = runSteps(`${suite} ${report}`);
  expect(lines).toContain('     4.0 s  lib/a.test.ts');
  expect(lines.at(-1)).toBe('2 passed, 0 failed, 0 skipped');
});

test('ends steps that still run when its time is over, and fails', () => {
  const { code, lines } = runSteps('begin stuck 60 60 sleep 1000; sleep 1; kill -USR1 $$; finish stuck');
  expect(code).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^::: STOPPED after 0 minutes; still running: stuck$/));
  expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
});

test('names processes that a step leaves running', () => {
  const { code, lines } = runSteps('sleep 1000 & other=$!; step left 60 60 left; kill $other');
  expect(code).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^\d+ sleep 1000 $/));
});
