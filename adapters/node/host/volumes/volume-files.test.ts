import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planWrite } from '#lib/node/volume/atomic-writer.ts';
import { privateMounts } from '../../../../test/support/private-mounts.ts';
import { skipUnless } from '../../../../test/support/skip.ts';
import { diskUsage } from '../machine/disk-usage.ts';
import { HostMounter } from './mounter.ts';
import { HostVolumeFiles } from './volume-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'davit-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mounter = new HostMounter();
const files = new HostVolumeFiles(mounter);
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const modeOf = (path: string): number => lstatSync(path).mode & 0o7777;
const asRoot = (): object => skipUnless(process.getuid?.() === 0, 'a change of owner needs root');

describe('fileType of a path', () => {
  test('names files as hostPath volumes do, and follows links', async () => {
    writeFileSync(at('file'), '');
    symlinkSync('file', at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    const server = createServer().listen(at('socket'));
    const types = await Promise.all(
      [folder, at('file'), at('link'), at('socket'), '/dev/null', at('pipe'), at('none')].map((path) =>
        files.fileType(path),
      ),
    );
    server.close();
    expect(types).toEqual(['Directory', 'File', 'File', 'Socket', 'CharDevice', '', undefined]);
  });
});

describe('makeFolder below a volume', () => {
  test('sets the exact mode of an existing folder, regardless of the umask', async () => {
    await files.makeFolder(at('a', 'b'), 0o777, { exact: true });
    expect(modeOf(at('a', 'b'))).toBe(0o777);
  });

  test("reports an obstacle in upstream's words", async () => {
    writeFileSync(at('file'), '');
    await expect(files.makeFolder(at('file', 'b'), 0o755)).rejects.toThrow(/^mkdir .*file\/b: not a directory$/);
  });
});

describe('removeTree below a folder', () => {
  test('removes a deep tree, files with names that are not UTF-8, and links without their targets', async () => {
    mkdirSync(at('outside'));
    writeFileSync(at('outside', 'kept'), '');
    mkdirSync(at('tree', ...Array.from({ length: 300 }, () => 'd')), { recursive: true });
    symlinkSync(at('outside'), at('tree', 'link'));
    writeFileSync(Buffer.concat([Buffer.from(`${at('tree')}/`), Buffer.from([0xff, 0xfe])]), '');
    await files.removeTree(at('tree'));
    expect(readdirSync(folder)).toEqual(['outside']);
    expect(existsSync(at('outside', 'kept'))).toBe(true);
  });

  test('does nothing for a missing path', async () => {
    await expect(files.removeTree(at('none'))).resolves.toBeUndefined();
  });
});

describe('a mounted volume', privateMounts(), () => {
  test('stops the removal of the whole tree', async () => {
    mkdirSync(at('data'));
    writeFileSync(at('data', 'precious'), '');
    mkdirSync(at('tree', 'volume'), { recursive: true });
    writeFileSync(at('tree', 'file'), '');
    await mounter.mount({ source: at('data'), target: at('tree', 'volume'), fsType: '', options: ['bind'] });
    await expect(files.removeTree(at('tree'))).rejects.toThrow(
      `cannot delete directory ${at('tree', 'volume')}: it is a mount point`,
    );
    expect([existsSync(at('data', 'precious')), existsSync(at('tree', 'file'))]).toEqual([true, true]);
    await files.cleanUpMountPoint(at('tree', 'volume'));
    await files.removeTree(at('tree'));
    expect(readdirSync(folder)).toEqual(['data']);
  });

  test('is read-only with a bind mount while its source is not', async () => {
    mkdirSync(at('data'));
    mkdirSync(at('target'));
    await mounter.mount({ source: at('data'), target: at('target'), fsType: '', options: ['bind', 'ro'] });
    expect(() => writeFileSync(at('target', 'x'), '')).toThrow('EROFS');
    writeFileSync(at('data', 'x'), '');
    expect(await mounter.mountRefs(at('data'))).toEqual([at('target')]);
    expect(await mounter.isMountPoint(at('target'))).toBe(true);
    await mounter.unmount(at('target'));
    await mounter.unmount(at('target'));
    expect(await mounter.isMountPoint(at('target'))).toBe(false);
    expect(await mounter.isMountPoint(at('none'))).toBeUndefined();
  });

  test('has the requested size as tmpfs', async () => {
    mkdirSync(at('memory'));
    await mounter.mount({ source: 'tmpfs', target: at('memory'), fsType: 'tmpfs', options: ['size=1048576'] });
    expect((await mounter.list()).findLast(({ mountPoint }) => mountPoint === at('memory'))).toMatchObject({
      fsType: 'tmpfs',
      superOptions: expect.arrayContaining(['size=1024k']),
    });
    await mounter.unmount(at('memory'));
  });

  test('reports the command, its arguments and its output on failure', async () => {
    const attempt = mounter.mount({ source: at('none'), target: at('none2'), fsType: '', options: ['bind'] });
    await expect(attempt).rejects.toThrow(
      /^mount failed: exit status \d+\nMounting command: mount\nMounting arguments: -o bind .*none .*none2\nOutput: /,
    );
  });
});

describe('a projected volume', () => {
  const payload = (values: Readonly<Record<string, string>>) =>
    new Map(
      Object.entries(values).map(([path, text]) => [path, { data: new TextEncoder().encode(text), mode: 0o644 }]),
    );
  const write = async (values: Readonly<Record<string, string>>): Promise<void> => {
    const plan = planWrite(payload(values), await files.projection(folder), Date.parse('2026-01-02T03:04:05Z'));
    await files.writeProjection(folder, plan, async () => undefined);
  };
  const hidden = (): string[] => readdirSync(folder).filter((name) => name.startsWith('..2'));

  test('is linked to a folder with a timestamp', async () => {
    await write({ key: 'a', 'dir/nested': 'b' });
    expect(readFileSync(at('key'), 'utf8') + readFileSync(at('dir', 'nested'), 'utf8')).toBe('ab');
    expect([readlinkSync(at('key')), readlinkSync(at('dir'))]).toEqual(['..data/key', '..data/dir']);
    expect(readlinkSync(at('..data'))).toMatch(/^\.\.2026_01_02_03_04_05\.\d+$/);
    expect(modeOf(at('..data', 'key'))).toBe(0o644);
    expect(modeOf(at(readlinkSync(at('..data'))))).toBe(0o755);
  });

  test('stays unchanged without a change of its files', async () => {
    await write({ key: 'a' });
    const before = readlinkSync(at('..data'));
    await write({ key: 'a' });
    expect(readlinkSync(at('..data'))).toBe(before);
  });

  test('changes as a whole and leaves no old files', async () => {
    await write({ key: 'a', gone: 'x' });
    await write({ key: 'b', 'new/file': 'y' });
    expect(
      readdirSync(folder)
        .filter((name) => !name.startsWith('..'))
        .toSorted(),
    ).toEqual(['key', 'new']);
    expect(readFileSync(at('key'), 'utf8')).toBe('b');
    expect(hidden()).toHaveLength(1);
  });

  test('restores a removed link', async () => {
    await write({ key: 'a' });
    rmSync(at('key'));
    await write({ key: 'a' });
    expect(readFileSync(at('key'), 'utf8')).toBe('a');
  });

  test('recovers after a process that ended before the switch', async () => {
    await write({ key: 'a' });
    symlinkSync('..2026_elsewhere', at('..data_tmp'));
    await write({ key: 'b' });
    expect(readFileSync(at('key'), 'utf8')).toBe('b');
  });

  test('shows the old files if the last step before the switch fails', async () => {
    await write({ key: 'a' });
    const plan = planWrite(payload({ key: 'b' }), await files.projection(folder), 0);
    const failing = files.writeProjection(folder, plan, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(readFileSync(at('key'), 'utf8')).toBe('a');
    expect(hidden()).toHaveLength(1);
  });
});

describe('changeOwnership of a volume', asRoot(), () => {
  test('gives files to the group with the bits that it needs, and leaves the target of a link alone', async () => {
    mkdirSync(at('volume', 'sub'), { recursive: true, mode: 0o755 });
    writeFileSync(at('volume', 'sub', 'file'), '', { mode: 0o600 });
    writeFileSync(at('outside'), '', { mode: 0o600 });
    symlinkSync(at('outside'), at('volume', 'link'));
    await files.changeOwnership(at('volume'), { fsGroup: 4321, readOnly: false });
    expect([modeOf(at('volume')), modeOf(at('volume', 'sub')), modeOf(at('volume', 'sub', 'file'))]).toEqual([
      0o2775, 0o2775, 0o660,
    ]);
    expect(
      [at('volume'), at('volume', 'sub', 'file'), at('volume', 'link')].map((path) => lstatSync(path).gid),
    ).toEqual([4321, 4321, 4321]);
    expect([lstatSync(at('outside')).gid, modeOf(at('outside'))]).toEqual([process.getgid?.(), 0o600]);
  });

  test('skips a volume with a correct root for OnRootMismatch', async () => {
    mkdirSync(at('volume'));
    await files.changeOwnership(at('volume'), { fsGroup: 4321, readOnly: false });
    writeFileSync(at('volume', 'file'), '', { mode: 0o600 });
    await files.changeOwnership(at('volume'), { fsGroup: 4321, readOnly: false, policy: 'OnRootMismatch' });
    expect(modeOf(at('volume', 'file'))).toBe(0o600);
    await files.changeOwnership(at('volume'), { fsGroup: 4321, readOnly: false, policy: 'Always' });
    expect(modeOf(at('volume', 'file'))).toBe(0o660);
  });
});

describe('diskUsage of a folder', () => {
  test('counts a file with two names once', async () => {
    writeFileSync(at('file'), Buffer.alloc(1 << 20, 1));
    execFileSync('ln', [at('file'), at('same')]);
    mkdirSync(at('sub'));
    const { bytes, inodes } = await diskUsage(folder);
    expect(inodes).toBe(3);
    expect(bytes).toBe(1024 * Number(execFileSync('du', ['-sxk', folder], { encoding: 'utf8' }).split('\t')[0]));
  });
});
