// Counts what vitest reports, for .ci/run. Faults go to stderr, and each counts as a failure.
//   node scripts/tally.ts count EXIT_CODE REPORT   prints `PASSED FAILED SKIPPED` of one project
//   node scripts/tally.ts files REPORT...          fails when no project ran one of the committed test files
//   node scripts/tally.ts slowest REPORT...        prints the ten files that took longest
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type FileResult, fileResults, secondsByFile } from './test-report.ts';

const ROOT = join(import.meta.dirname, '..');
/** The prefix that test/support/skip.ts uses. These skips are never allowed. */
const MISSING_CLIENT = 'missing client: ';
const SHOWN_LINES = 5;
const SHOWN_FILES = 10;

/** The files whose tests may be skipped, by reason. A folder ends in a slash. */
export type AllowedSkips = Readonly<Record<string, readonly string[]>>;

/** The counts of a run. */
export interface Tally {
  readonly passed: number;
  /** Failed tests and faults. */
  readonly failed: number;
  readonly skipped: number;
  readonly faults: readonly string[];
}

/** Counts the tests in the JSON report of one vitest project that exited with that code. An unreadable report counts as a failure. */
export function tally(report: unknown, allowed: AllowedSkips, exitCode: number): Tally {
  const files = fileResults(report);
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(ROOT, name) })),
  );
  const [passed, failed] = ['passed', 'failed'].map((status) => tests.filter((test) => test.status === status).length);
  const others = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  const faults = [
    ...files.flatMap(brokenFile),
    ...others.flatMap(({ file, fullName, meta }) => {
      const why = refusal(file, meta.skipped, allowed);
      return why === undefined ? [] : [`${file}: ${fullName}: ${why}`];
    }),
    ...(passed === 0 ? ['no test passed'] : []),
  ];
  if (exitCode !== 0 && failed === 0 && faults.length === 0) faults.push(`vitest ended with exit code ${exitCode}`);
  return { passed: passed ?? 0, failed: (failed ?? 0) + faults.length, skipped: others.length, faults };
}

/** A file that failed outside of its tests: during an import, or in a hook. */
function brokenFile({ name, status, message, assertionResults }: FileResult): string[] {
  if (status !== 'failed' || assertionResults.some((test) => test.status === 'failed')) return [];
  return [`${relative(ROOT, name)}: ${message.split('\n').slice(0, SHOWN_LINES).join('\n')}`];
}

/** Why the skip is not allowed; undefined if it is. */
function refusal(file: string, reason: string | undefined, allowed: AllowedSkips): string | undefined {
  if (reason === undefined) return 'skips without a reason';
  const files = reason.startsWith(MISSING_CLIENT) ? [] : Object.hasOwn(allowed, reason) ? (allowed[reason] ?? []) : [];
  const isAllowed = files.some((name) => (name.endsWith('/') ? file.startsWith(name) : file === name));
  return isAllowed ? undefined : `may not skip in CI: ${reason}`;
}

/** The files that no report contains. */
export function unreported(files: readonly string[], reports: readonly unknown[]): string[] {
  const results = reports.flatMap(fileResults);
  const reported = new Set(results.map(({ name }) => relative(ROOT, name)));
  return files.filter((file) => !reported.has(file));
}

/** Undefined if the report does not exist, for example after a killed run. */
function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`${path}: ${String(error)}`);
    return undefined;
  }
}

function main(mode: string | undefined, args: readonly string[]): void {
  if (mode === 'files') {
    const files = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const left = unreported(files, args.map(read));
    for (const file of left) console.error(`no project ran ${file}`);
    process.exitCode = left.length === 0 ? 0 : 1;
    return;
  }
  if (mode === 'slowest') {
    const slowest = [...secondsByFile(args.map(read))].sort(([, a], [, b]) => b - a).slice(0, SHOWN_FILES);
    for (const [file, seconds] of slowest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
    return;
  }
  const [exitCode, path = ''] = args;
  const allowed = JSON.parse(readFileSync(join(ROOT, 'test/allowed-skips.json'), 'utf8')) as AllowedSkips;
  const { passed, failed, skipped, faults } = tally(read(path), allowed, Number(exitCode));
  for (const fault of faults) console.error(`FAULT ${fault}`);
  console.log(passed, failed, skipped);
}

if (import.meta.main) main(process.argv[2], process.argv.slice(3));
