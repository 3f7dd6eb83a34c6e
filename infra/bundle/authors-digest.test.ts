import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { authorsDigest } from './authors-digest.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** The digest of a file that imports a reconciler's module and `@davit-dev/davit/controller`, in its own folder. */
function digestOf(text: string, imported = 'export const page = 1;'): string {
  const folder = mkdtempSync(join(tmpdir(), 'davit-digest-'));
  folders.push(folder);
  writeFileSync(join(folder, 'page.ts'), imported);
  writeFileSync(join(folder, 'sites.ts'), text);
  return authorsDigest(join(folder, 'sites.ts'));
}

const SOURCE = `import { defineReconciler } from '@davit-dev/davit/controller';
import { page } from './page.ts';
export const sites = defineReconciler({ name: 'sites', for: { apiVersion: 'v1', kind: 'Site' } }, async () => page);`;

test('the digest of a file does not depend on its folder or comments', () => {
  expect(digestOf(SOURCE)).toMatch(/^[0-9a-f]{64}$/);
  expect(digestOf(`// a comment\n${SOURCE}`)).toBe(digestOf(SOURCE));
});

test.each([
  ['its own code', SOURCE.replace('=> page', '=> page + 1'), undefined],
  ['a module that it imports', SOURCE, 'export const page = 2;'],
])('the digest of a file changes with %s', (_, text, imported) => {
  expect(digestOf(text, imported)).not.toBe(digestOf(SOURCE));
});

test("the digest of a file excludes Davit's own modules", () => {
  const without = SOURCE.replace("'@davit-dev/davit/controller'", "'@davit-dev/davit/none'");
  expect(digestOf(without)).toMatch(/^[0-9a-f]{64}$/); // the file does not exist and is never read
});
