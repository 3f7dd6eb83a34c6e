import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mounter, MountRequest } from '#lib/node/volume/mount/mounter.ts';
import { privateMounts } from '../../../../test/support/private-mounts.ts';
import { HostMounter } from './mounter.ts';
import { HostSubpath } from './subpath.ts';

let folder: string;
let volumePath: string;
let podDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'davit-subpath-'));
  volumePath = join(folder, 'volume');
  podDir = join(folder, 'pods', 'uid');
  for (const path of [join(volumePath, 'a', 'b'), podDir, join(folder, 'outside')])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(volumePath, 'a', 'file'), 'inside');
  writeFileSync(join(folder, 'outside', 'secret'), 'secret of the host');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const subpath = (path: string) => ({
  volumeMountIndex: 0,
  path: join(volumePath, path),
  volumeName: 'data',
  volumePath,
  podDir,
  containerName: 'app',
});

/** Records mounts without performing them. */
class Recording implements Mounter {
  readonly made: MountRequest[] = [];
  /** Called before each mount. */
  before: (request: MountRequest) => void = () => undefined;

  async mount(request: MountRequest): Promise<void> {
    this.before(request);
    this.made.push(request);
  }
  async unmount(): Promise<void> {}
  async list(): Promise<[]> {
    return [];
  }
  async isMountPoint(): Promise<boolean> {
    return false;
  }
  async mountRefs(): Promise<[]> {
    return [];
  }
  async formatAndMount(): Promise<void> {}
  async resizeFs(): Promise<void> {}
  async fileSystems(): Promise<[]> {
    return [];
  }
}

describe('prepareSafeSubpath with recorded mounts', () => {
  test.each([
    ['a folder', 'a/b', true],
    ['a file', 'a/file', false],
    ['the volume itself', '.', true],
  ])('binds the descriptor of %s to a place below the pod', async (_, path, isFolder) => {
    const mounter = new Recording();
    const target = await new HostSubpath(mounter).prepareSafeSubpath(subpath(path));
    expect(target).toBe(join(podDir, 'volume-subpaths', 'data', 'app', '0'));
    expect(lstatSync(target).isDirectory()).toBe(isFolder);
    expect(mounter.made).toMatchObject([{ options: ['bind'], flags: ['--no-canonicalize'] }]);
    expect(mounter.made[0]?.source).toMatch(new RegExp(`^/proc/${process.pid}/fd/\\d+$`));
  });

  test('follows a link that stays inside the volume', async () => {
    symlinkSync('a/b', join(volumePath, 'link'));
    await expect(new HostSubpath(new Recording()).prepareSafeSubpath(subpath('link'))).resolves.toContain(podDir);
  });

  test.each([
    ['an absolute link', () => join(folder, 'outside')],
    ['a relative link', () => '../outside'],
  ])('rejects %s out of the volume', async (_, to) => {
    symlinkSync(to(), join(volumePath, 'link'));
    const attempt = new HostSubpath(new Recording()).prepareSafeSubpath(subpath('link/secret'));
    await expect(attempt).rejects.toThrow(/^subpath ".*\/outside\/secret" not within volume path ".*\/volume"$/);
  });

  test('reports a missing subpath', async () => {
    const attempt = new HostSubpath(new Recording()).prepareSafeSubpath(subpath('none'));
    await expect(attempt).rejects.toThrow(
      /^error resolving symlinks in ".*none": lstat .*none: no such file or directory$/,
    );
  });

  test('binds what it opened, even if the path leads elsewhere by then', async () => {
    const mounter = new Recording();
    let bound = '';
    mounter.before = ({ source }) => {
      renameSync(join(volumePath, 'a'), join(volumePath, 'moved'));
      symlinkSync(join(folder, 'outside'), join(volumePath, 'a'));
      bound = realpathSync(source);
    };
    await new HostSubpath(mounter).prepareSafeSubpath(subpath('a/b'));
    expect(bound).toBe(join(volumePath, 'moved', 'b'));
  });

  test('leaves no folders if the mount fails', async () => {
    const mounter = new Recording();
    mounter.before = () => {
      throw new Error('mount failed: exit status 32');
    };
    const attempt = new HostSubpath(mounter).prepareSafeSubpath(subpath('a/b'));
    await expect(attempt).rejects.toThrow(/^error mounting .*a\/b: mount failed: exit status 32$/);
    expect(() => lstatSync(join(podDir, 'volume-subpaths'))).toThrow('ENOENT');
  });
});

describe('prepareSafeSubpath on this host', privateMounts(), () => {
  test('mounts the subpath, returns the same mount for a repeated call, and is undone by cleanSubPaths', async () => {
    const mounter = new HostMounter();
    const paths = new HostSubpath(mounter);
    const target = await paths.prepareSafeSubpath(subpath('a'));
    expect(readFileSync(join(target, 'file'), 'utf8')).toBe('inside');
    expect(await paths.prepareSafeSubpath(subpath('a'))).toBe(target);
    expect((await mounter.list()).filter(({ mountPoint }) => mountPoint === target)).toHaveLength(1);
    await paths.cleanSubPaths(podDir, 'data');
    expect(() => lstatSync(join(podDir, 'volume-subpaths'))).toThrow('ENOENT');
    expect(readFileSync(join(volumePath, 'a', 'file'), 'utf8')).toBe('inside');
  });

  test('binds a replaced file again', async () => {
    const paths = new HostSubpath(new HostMounter());
    const target = await paths.prepareSafeSubpath(subpath('a/file'));
    writeFileSync(join(volumePath, 'new'), 'newer');
    renameSync(join(volumePath, 'new'), join(volumePath, 'a', 'file'));
    await paths.prepareSafeSubpath(subpath('a/file'));
    expect(readFileSync(target, 'utf8')).toBe('newer');
    await paths.cleanSubPaths(podDir, 'data');
  });

  test('never shows a file of the host to a container that continuously swaps the folder with a link', {
    timeout: 120_000,
  }, async () => {
    const inside = join(volumePath, 'x');
    mkdirSync(inside);
    writeFileSync(join(inside, 'secret'), 'inside');
    const swap = `while :; do mv -T ${inside} ${volumePath}/y; ln -s ${folder}/outside ${inside}; rm ${inside}; mv -T ${volumePath}/y ${inside}; done`;
    const attacker = execFileSync('sh', ['-c', `(${swap}) >/dev/null 2>&1 & echo $!`], { encoding: 'utf8' }).trim();
    const paths = new HostSubpath(new HostMounter());
    const seen = { inside: 0, refused: 0 };
    try {
      for (let round = 0; round < 400; round++) {
        const target = await paths.prepareSafeSubpath(subpath('x/secret')).catch(() => undefined);
        if (target === undefined) seen.refused++;
        else {
          expect(readFileSync(target, 'utf8')).toBe('inside');
          seen.inside++;
        }
        await paths.cleanSubPaths(podDir, 'data');
      }
    } finally {
      process.kill(Number(attacker), 'SIGKILL');
    }
    console.log(`subpath race: ${seen.inside} mounts of the volume's file, ${seen.refused} refusals, 0 of the host's`);
    expect(readFileSync(join(folder, 'outside', 'secret'), 'utf8')).toBe('secret of the host');
  });
});

describe('safeMakeDir of HostSubpath', () => {
  const make = (subdir: string) => new HostSubpath(new Recording()).safeMakeDir(subdir, volumePath, 0o777);

  test('creates all missing folders with the mode, regardless of the umask', async () => {
    await make('a/new/deep');
    expect(lstatSync(join(volumePath, 'a', 'new')).mode & 0o777).toBe(0o777);
    expect(lstatSync(join(volumePath, 'a', 'new', 'deep')).mode & 0o777).toBe(0o777);
  });

  test('leaves an existing folder unchanged', async () => {
    const before = lstatSync(join(volumePath, 'a')).mode;
    await make('a');
    expect(lstatSync(join(volumePath, 'a')).mode).toBe(before);
  });

  test.each([
    ['a path out of the volume', '../outside/new', 'is outside of allowed base'],
    ['a link out of the volume', 'link/new', 'is outside of allowed base'],
    ['a file in the way', 'a/file/new', 'not a directory'],
    ['a file at the end', 'a/file', 'not a directory'],
  ])('rejects %s', async (_, subdir, reason) => {
    symlinkSync(join(folder, 'outside'), join(volumePath, 'link'));
    await expect(make(subdir)).rejects.toThrow(reason);
    expect(() => lstatSync(join(folder, 'outside', 'new'))).toThrow('ENOENT');
  });
});
