import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FolderWatch, snapshot } from './folder.ts';

describe('a snapshot of a folder', () => {
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

  test.each(['two.ts', 'lib/shared.ts', 'crd.yaml', 'crds/site.yaml', 'data.json'])(
    'contains the file %s',
    async (path) => {
      const before = await snapshot(folder);
      write(path);
      expect(await snapshot(folder)).not.toEqual(before);
    },
  );

  test.each(['.davit/state.db-wal', '.git/config.json', 'server.log', 'out', 'one.test.ts', 'node_modules/a/index.js'])(
    'does not contain the file %s',
    async (path) => {
      const before = await snapshot(folder);
      write(path);
      expect(await snapshot(folder)).toEqual(before);
    },
  );

  test.each([
    ['in place', (path: string) => writeFileSync(path, 'a')],
    [
      'by renaming',
      (path: string) => {
        writeFileSync(`${path}~`, 'a');
        renameSync(`${path}~`, path);
      },
    ],
  ])('notices each save %s, in subfolders too', async (_, save) => {
    write('lib/shared.ts');
    const seen = Promise.withResolvers<void>();
    let next = seen;
    const watch = new FolderWatch(() => next.resolve());
    watch.follow((await snapshot(folder)).folders);
    await seen.promise; // waits for notifications of changes made before the watch
    for (const path of ['one.ts', 'one.ts', 'lib/shared.ts', 'one.ts', 'lib/shared.ts']) {
      next = Promise.withResolvers();
      save(join(folder, path));
      await next.promise;
    }
    watch.close();
  });
});
