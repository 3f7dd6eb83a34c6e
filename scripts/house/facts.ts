// Measures the checkout: sizes, functions, imports between rooms, assertions, documentation, prose and copies of mechanisms.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { accessorCalls, documentedExports, looseArrows, median } from './code.ts';
import { englishFacts } from './english.ts';
import { patternFacts } from './patterns.ts';
import { comments, longSubjects, opensBadly } from './prose.ts';
import { code, edges, files, isTest, isWritten, RANKS, ROOT, room, roomOf } from './rooms.ts';

/** The measured figures, by row name in the table. Outside of a git checkout, there is no row of commits. */
export type Facts = Readonly<Record<string, number>>;

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const toTenths = (number: number): number => Math.round(number * 10) / 10;
/** The number of commits whose subjects are checked. A shallow clone may have fewer. */
const COMMITS = 100;

/** Measures every fact of the checkout. Runs the linter and git. */
export function facts(): Facts {
  const written = code.filter(isWritten).map(read);
  const lines = written.map((text) => text.split('\n').length - 1);
  const all = files.filter(isWritten).flatMap((file) => comments(read(file)));
  const exported = written.map(documentedExports);
  const found = linted();
  const subjects = commitSubjects();
  const withTests = [...files.filter(isWritten), ...globSync('test/**/*.ts', { cwd: ROOT })];
  return {
    'Files of code': written.length,
    'Lines of a file, median': median(lines),
    'Lines of a file, maximum': Math.max(...lines),
    'Functions over 60 lines': found.functions,
    ...roomFacts(),
    '`as` in 1,000 lines': toTenths((1000 * found.assertions) / sum(lines)),
    'Fields named by a string': sum(written.map(accessorCalls)),
    'Exported functions with statements that are untyped constants': sum(written.map(looseArrows)),
    'Exported symbols with a comment, %': toTenths(
      (100 * sum(exported.map(({ documented }) => documented))) / sum(exported.map(({ exports }) => exports)),
    ),
    'Comments that open with What, Who, Whom, Whoever, Where there is': all.filter(opensBadly).length,
    ...patternFacts(withTests.map((path) => ({ path, text: read(path) }))),
    ...englishFacts(withTests.map(read)),
    ...(subjects === undefined
      ? {}
      : { 'Commit subjects over 72 characters, of the last 100': longSubjects(subjects).length }),
  };
}

function roomFacts(): Facts {
  const between = edges.filter(
    ({ from, to }) => room(from) === 'lib' && room(to) === 'lib' && roomOf(from) !== roomOf(to),
  );
  const pairs = new Set(between.map(({ from, to }) => `${roomOf(from)} ${roomOf(to)}`));
  const rank = (name: string | undefined): number => RANKS.indexOf(name ?? '');
  const upwards = [...pairs].filter((pair) => rank(pair.split(' ')[1]) > rank(pair.split(' ')[0]));
  return {
    'Pairs of rooms in lib of which one imports the other': pairs.size,
    'Of them against the rank': upwards.length,
  };
}

const reportSchema = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

/** The linter's parser counts things that a text search cannot find. Its configuration excludes no file. */
function linted(): { functions: number; assertions: number } {
  const { stdout } = spawnSync(
    join(ROOT, 'node_modules/.bin/oxlint'),
    ['-c', 'scripts/house/oxlint.json', '--disable-nested-config', '-f', 'json', ...new Set(code.map(room))],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { diagnostics } = reportSchema.parse(JSON.parse(stdout));
  const own = diagnostics.filter(({ filename }) => !isTest(filename) && isWritten(filename));
  const of = (rule: string): number => own.filter((diagnostic) => diagnostic.code.includes(rule)).length;
  return { functions: of('max-lines-per-function'), assertions: of('consistent-type-assertions') };
}

/** The subjects of the last commits, or undefined outside of a git checkout. */
function commitSubjects(): string[] | undefined {
  try {
    const log = execFileSync('git', ['log', `-${COMMITS}`, '--no-merges', '--format=%s'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return log.split('\n').filter((line) => line !== '');
  } catch {
    return undefined; // no git, or no repository: a package or an archive has no commits
  }
}
