import { expect, test } from 'vitest';
import { type ConfFolder, firstNetwork } from './folder.ts';

/** A folder with files of these contents. */
const folderOf = (files: Readonly<Record<string, unknown>>): ConfFolder => ({
  async names(folder) {
    const inside = Object.keys(files).filter((path) => path.startsWith(`${folder}/`));
    return inside.map((path) => path.slice(folder.length + 1)).filter((name) => !name.includes('/'));
  },
  async read(path) {
    const content = files[path];
    return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  },
});

const single = (name: string) => ({ name, cniVersion: '1.0.0', type: 'bridge' });
const list = (name: string) => ({ name, cniVersion: '1.0.0', plugins: [{ type: 'bridge' }] });

test.each<[why: string, files: Readonly<Record<string, unknown>>, network: string | undefined, skipped: number]>([
  ['the first by name', { '/c/20-b.conflist': list('b'), '/c/10-a.conf': single('a') }, 'a', 0],
  ['a file of each extension', { '/c/1.json': single('a'), '/c/2.conf': single('b') }, 'a', 0],
  ['no file of another extension', { '/c/1.conf.bak': single('a'), '/c/2': single('b') }, undefined, 0],
  ['the next of a broken file', { '/c/1.conf': '{', '/c/2.conflist': list('b') }, 'b', 1],
  ['the next of a plugin without a type', { '/c/1.conf': { name: 'a' }, '/c/2.conf': single('b') }, 'b', 1],
  ['the next of a list in a file of one plugin', { '/c/1.conf': list('a'), '/c/2.conf': single('b') }, 'b', 1],
  ['the next of a list without plugins', { '/c/1.conflist': { name: 'a' }, '/c/2.conf': single('b') }, 'b', 1],
  ['none of an empty folder', {}, undefined, 0],
])('uses %s', async (_, files, network, skipped) => {
  const found = await firstNetwork('/c', folderOf(files));
  expect([found.network?.name, found.skipped.length]).toEqual([network, skipped]);
});

test('adds the plugins in the folder with the name of the list, sorted by file', async () => {
  const files = {
    '/c/1.conflist': list('a'),
    '/c/a/2.conf': { type: 'z' },
    '/c/a/1.conf': { type: 'y' },
    '/c/a/0.json': {},
  };
  const { network } = await firstNetwork('/c', folderOf(files));
  expect(network?.plugins.map(({ type }) => type)).toEqual(['bridge', 'y', 'z']);
  const only = { ...files, '/c/1.conflist': { ...list('a'), loadOnlyInlinedPlugins: true } };
  expect((await firstNetwork('/c', folderOf(only))).network?.plugins).toHaveLength(1);
});

test('never reads outside the folder because of a network name', async () => {
  const files = { '/c/1.conflist': list('../other'), '/c/../other/1.conf': { type: 'evil' } };
  expect((await firstNetwork('/c', folderOf(files))).network?.plugins).toHaveLength(1);
});

test('ignores files of other kinds', async () => {
  const files = { '/c/1.conf': single('a'), '/c/2.conf': single('b') };
  expect(await firstNetwork('/c', folderOf(files), (name) => name !== '1.conf')).toMatchObject({ file: '2.conf' });
});
