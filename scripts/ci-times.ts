// Writes the durations of test files in the reports of the last `.ci/run` to test/durations.json, which determines the order of later runs:
// `npm run ci:times`.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secondsByFile } from './test-report.ts';

const ROOT = join(import.meta.dirname, '..');
/** The shortest relevant duration in seconds. The order of shorter files makes no difference. */
const LONG = 2;

const paths = globSync(join(ROOT, 'build/ci/*.json'));
if (paths.length === 0) throw new Error('build/ci has no reports; run .ci/run first');
const seconds = secondsByFile(paths.map((path): unknown => JSON.parse(readFileSync(path, 'utf8'))));
const long = [...seconds]
  .filter(([, taken]) => taken >= LONG)
  .map(([file, taken]) => [file, Math.round(taken)] as const)
  .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
writeFileSync(join(ROOT, 'test/durations.json'), `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
console.log(`${long.length} of ${seconds.size} files take ${LONG} s or more; test/durations.json lists them`);
