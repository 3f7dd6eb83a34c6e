import { describe, expect, test } from 'vitest';
import type { CommandEnd } from '../programs/command.ts';
import { prepareDevice } from './format.ts';

/** Returns results for commands by name, and records the commands. */
function host(answers: Readonly<Record<string, CommandEnd>>) {
  const ran: string[] = [];
  const run = async (command: string, args: readonly string[]): Promise<CommandEnd> => {
    ran.push([command, ...args].join(' '));
    return answers[command] ?? { output: '' };
  };
  return { ran, run };
}

const request = (fsType: string, options: readonly string[] = []) => ({
  source: '/dev/x',
  target: '/mnt',
  fsType,
  options,
});
const BLKID = 'blkid -p -s TYPE -s PTTYPE -o export /dev/x';
const EMPTY: CommandEnd = { output: '', failure: 'exit status 2', status: 2 };

describe('preparing a device', () => {
  test.each([
    ['ext4', 'mkfs.ext4 -F -m0 /dev/x'],
    ['xfs', 'mkfs.xfs -f /dev/x'],
    ['btrfs', 'mkfs.btrfs /dev/x'],
  ])('formats it as %s if it has no file system', async (fsType, command) => {
    const { ran, run } = host({ blkid: EMPTY });
    await prepareDevice(run, request(fsType));
    expect(ran).toEqual([BLKID, command]);
  });

  test.each([
    ['a file system', 'DEVNAME=/dev/x\nTYPE=ext4\n'],
    ['partitions', 'DEVNAME=/dev/x\nPTTYPE=dos\n'],
  ])('checks and never formats one with %s', async (_, output) => {
    const { ran, run } = host({ blkid: { output } });
    await prepareDevice(run, request('ext4'));
    expect(ran).toEqual([BLKID, 'fsck -a /dev/x']);
  });

  test('neither formats nor mounts one that cannot be read', async () => {
    const { ran, run } = host({ blkid: { output: '', failure: 'exit status 4', status: 4 } });
    await expect(prepareDevice(run, request('ext4'))).rejects.toThrow(
      'failed to get disk format of disk /dev/x: exit status 4',
    );
    expect(ran).toEqual([BLKID]);
  });

  test('does not format one without a file system for a read-only mount', async () => {
    const { ran, run } = host({ blkid: EMPTY });
    await expect(prepareDevice(run, request('ext4', ['ro']))).rejects.toThrow(
      'cannot mount unformatted disk /dev/x as we are manipulating it in read-only mode',
    );
    expect(ran).toEqual([BLKID]);
  });

  test('does not check it for a read-only mount', async () => {
    const { ran, run } = host({ blkid: { output: 'TYPE=ext4' } });
    await prepareDevice(run, request('ext4', ['ro']));
    expect(ran).toEqual([BLKID]);
  });

  test('rejects errors that fsck cannot correct', async () => {
    const { run } = host({
      blkid: { output: 'TYPE=ext4' },
      fsck: { output: 'bad', failure: 'exit status 4', status: 4 },
    });
    await expect(prepareDevice(run, request('ext4'))).rejects.toThrow(
      "'fsck' found errors on device /dev/x but could not correct them: bad",
    );
  });
});
