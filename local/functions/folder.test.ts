import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { snapshot } from './folder.ts';

describe('what a folder of functions holds', () => {
  let folder: string;
  const write = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'davit-folder-'));
    write('one.ts');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each(['two.ts', 'lib/shared.ts', 'crd.yaml', 'data.json'])('%s is of it', async (path) => {
    const before = await snapshot(folder);
    write(path);
    expect(await snapshot(folder)).not.toEqual(before);
  });

  test.each(['.davit/state.db-wal', '.git/config.json', 'server.log', 'out', 'one.test.ts', 'node_modules/a/index.js'])(
    '%s is not',
    async (path) => {
      const before = await snapshot(folder);
      write(path);
      expect(await snapshot(folder)).toEqual(before);
    },
  );
});
