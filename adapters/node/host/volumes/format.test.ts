import { describe, expect, test } from 'vitest';
import type { CommandEnd } from '../programs/command.ts';
import { prepareDevice } from './format.ts';

/** Answers commands by their name, and notes them. */
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

describe('a device', () => {
  test.each([
    ['ext4', 'mkfs.ext4 -F -m0 /dev/x'],
    ['xfs', 'mkfs.xfs -f /dev/x'],
    ['btrfs', 'mkfs.btrfs /dev/x'],
  ])('without a file system is formatted as %s', async (fsType, command) => {
    const { ran, run } = host({ blkid: EMPTY });
    await prepareDevice(run, request(fsType));
    expect(ran).toEqual([BLKID, command]);
  });

  test.each([
    ['a file system', 'DEVNAME=/dev/x\nTYPE=ext4\n'],
    ['partitions', 'DEVNAME=/dev/x\nPTTYPE=dos\n'],
  ])('with %s is checked and never formatted', async (_, output) => {
    const { ran, run } = host({ blkid: { output } });
    await prepareDevice(run, request('ext4'));
    expect(ran).toEqual([BLKID, 'fsck -a /dev/x']);
  });

  test('that cannot be read is neither formatted nor mounted', async () => {
    const { ran, run } = host({ blkid: { output: '', failure: 'exit status 4', status: 4 } });
    await expect(prepareDevice(run, request('ext4'))).rejects.toThrow(
      'failed to get disk format of disk /dev/x: exit status 4',
    );
    expect(ran).toEqual([BLKID]);
  });

  test('without a file system is not formatted for a read-only mount', async () => {
    const { ran, run } = host({ blkid: EMPTY });
    await expect(prepareDevice(run, request('ext4', ['ro']))).rejects.toThrow(
      'cannot mount unformatted disk /dev/x as we are manipulating it in read-only mode',
    );
    expect(ran).toEqual([BLKID]);
  });

  test('is not checked for a read-only mount', async () => {
    const { ran, run } = host({ blkid: { output: 'TYPE=ext4' } });
    await prepareDevice(run, request('ext4', ['ro']));
    expect(ran).toEqual([BLKID]);
  });

  test('with errors that fsck cannot correct is refused', async () => {
    const { run } = host({
      blkid: { output: 'TYPE=ext4' },
      fsck: { output: 'bad', failure: 'exit status 4', status: 4 },
    });
    await expect(prepareDevice(run, request('ext4'))).rejects.toThrow(
      "'fsck' found errors on device /dev/x but could not correct them: bad",
    );
  });
});
