import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = 'adapters,functions,infra,lib,local,node-agent,test';

/** Returns a function that reports whether a test in the project has a title, for pages that name tests. */
export function testTitles(): (title: string) => boolean {
  const code = globSync(`{${FOLDERS}}/**/*.{test,conformance}.ts`, { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  return (title) => code.some((text) => text.includes(`'${title}'`) || text.includes(`"${title}"`));
}
