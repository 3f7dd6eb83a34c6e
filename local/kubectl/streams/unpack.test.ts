import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { pack } from './pack.ts';
import { padding, type TarHeader, tarEnd, tarEntries, tarHead } from './tar.ts';
import { unpack } from './unpack.ts';

let folder: string;
let target: string;
const warnings: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-unpack-'));
  target = join(folder, 'target');
  warnings.splice(0);
});

type Entry = Partial<TarHeader> & { readonly name: string; readonly text?: string };

/** An archive in chunks of seven bytes. */
async function* archiveOf(entries: readonly Entry[]): AsyncGenerator<Buffer> {
  const parts = entries.map(({ text = '', ...entry }) => {
    const size = Buffer.byteLength(text);
    const header = { type: 'file', mode: 0o644, modified: 0, target: '', size, ...entry } as const;
    return Buffer.concat([tarHead(header), Buffer.from(text), padding(size)]);
  });
  const bytes = Buffer.concat([...parts, tarEnd(Buffer.concat(parts).length)]);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const unpacked = (entries: readonly Entry[], source = 'var/log'): Promise<number> =>
  unpack({ archive: archiveOf(entries), source, target, warn: (text) => void warnings.push(text) });

describe('an archive of a container', () => {
  test('becomes files and folders below the target', async () => {
    const long = `var/log/${'n'.repeat(150)}`;
    const entries: Entry[] = [
      { name: 'var/log/', type: 'directory' },
      { name: 'var/log/a', text: 'one' },
      { name: './var/log/b/c', text: 'two'.repeat(1000) },
      { name: long, text: 'three' },
    ];
    expect(await unpacked(entries)).toBe(4);
    expect(readFileSync(join(target, 'a'), 'utf8')).toBe('one');
    expect(readFileSync(join(target, 'b/c'), 'utf8')).toBe('two'.repeat(1000));
    expect(readFileSync(join(target, 'n'.repeat(150)), 'utf8')).toBe('three');
  });

  test('becomes the target if it has one file', async () => {
    expect(await unpacked([{ name: 'var/log', text: 'one' }])).toBe(1);
    expect(readFileSync(target, 'utf8')).toBe('one');
  });

  test.each<[string, string]>([
    ['a parent', 'var/log/../../escaped'],
    ['a parent at its end', 'var/log/..'],
    ['a parent first', '../escaped'],
    ['an absolute name', '/escaped'],
    ['an absolute name of the source', '/var/log/escaped'],
    ['a name beside the source', 'var/logs/escaped'],
    ['a name above the source', 'var'],
    ['no name', ''],
  ])('is rejected without a write if it has %s', async (_, name) => {
    await expect(unpacked([{ name, text: 'x' }])).rejects.toThrow('outside of "var/log"');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is unpacked without its links and devices', async () => {
    const entries: Entry[] = [
      { name: 'var/log/link', type: 'symlink', target: '/etc' },
      { name: 'var/log/link/passwd', text: 'x' },
    ];
    expect(await unpacked(entries)).toBe(1);
    expect(warnings).toEqual(['warning: skipping symlink: "var/log/link" -> "/etc"\n']);
    expect(readFileSync(join(target, 'link/passwd'), 'utf8')).toBe('x');
  });

  test('does not follow a link in the target to another place', async () => {
    mkdirSync(join(folder, 'outside'));
    mkdirSync(target);
    symlinkSync(join(folder, 'outside'), join(target, 'out'));
    await expect(unpacked([{ name: 'var/log/out/deep/x', text: 'x' }])).rejects.toThrow('is a link out of');
    writeFileSync(join(folder, 'outside/kept'), 'kept');
    symlinkSync(join(folder, 'outside/kept'), join(target, 'file'));
    await expect(unpacked([{ name: 'var/log/file', text: 'x' }])).rejects.toThrow('is a link');
    expect(readFileSync(join(folder, 'outside/kept'), 'utf8')).toBe('kept');
    expect(existsSync(join(folder, 'outside/deep'))).toBe(false);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut off', (bytes) => bytes.subarray(0, 520)],
    ['changed', (bytes) => Buffer.concat([Buffer.from('X'), bytes.subarray(1)])],
    ['nothing but noise', () => Buffer.alloc(2000, 'x')],
  ])('is rejected if it is %s', async (_, change) => {
    const chunks: Buffer[] = [];
    for await (const chunk of archiveOf([{ name: 'var/log/a', text: 'x'.repeat(5000) }])) chunks.push(chunk);
    async function* archive(): AsyncGenerator<Buffer> {
      yield change(Buffer.concat(chunks));
    }
    const warn = (): void => undefined;
    await expect(unpack({ archive: archive(), source: 'var/log', target, warn })).rejects.toThrow('is broken');
  });
});

test('a packed folder has its files, folders and links', async () => {
  mkdirSync(join(folder, 'tree/branch'), { recursive: true });
  writeFileSync(join(folder, 'tree/branch/leaf'), 'green'.repeat(1000), { mode: 0o640 });
  writeFileSync(join(folder, 'tree/empty'), '');
  symlinkSync('branch/leaf', join(folder, 'tree/link'));
  const found: unknown[] = [];
  let size = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const bytes of pack(join(folder, 'tree'), 'copy')) {
      size += bytes.length;
      yield bytes;
    }
  }
  for await (const { name, type, size: bytes, target: to } of tarEntries(counted()))
    found.push([name, type, bytes, to]);
  expect(found).toEqual([
    ['copy/', 'directory', 0, ''],
    ['copy/branch/', 'directory', 0, ''],
    ['copy/branch/leaf', 'file', 5000, ''],
    ['copy/empty', 'file', 0, ''],
    ['copy/link', 'symlink', 0, 'branch/leaf'],
  ]);
  expect(size % 10_240).toBe(0);
});
