// Makes a release: `node scripts/release.ts 0.2.0`. It sets the version, dates the CHANGELOG, commits and tags, but does not push.
// `--dry-run` prints the files that would change.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { EDITS, releaseOf } from './release/edits.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

function main(args: readonly string[]): void {
  const version = args.find((arg) => !arg.startsWith('--')) ?? '';
  if (git('status', '--porcelain') !== '') throw new RangeError('the checkout has changes: commit them first');
  const { version: previous } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
  if (!/^## .*\(unreleased\)$/m.test(read('CHANGELOG.md'))) throw new RangeError('CHANGELOG.md has nothing unreleased');
  const unreleased = git('tag', '--list', `v${previous}`) === '';
  const release = releaseOf(version, previous, unreleased, new Date().toISOString().slice(0, 10));
  const texts = Object.entries(EDITS).map(([file, edit]) => [file, edit(read(file), release)] as const);
  if (args.includes('--dry-run')) {
    console.log(texts.map(([file]) => file).join('\n'));
    return;
  }
  for (const [file, text] of texts) writeFileSync(join(ROOT, file), text);
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  console.log(`v${version} is committed and tagged. Next: .ci/run, git push --follow-tags, npm pack`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}
