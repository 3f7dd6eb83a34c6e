import { expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import type { CommandEnd } from '../programs/command.ts';
import { MetadataGuard } from './metadata-guard.ts';

const LISTED = `table inet davit_metadata {
	chain forward {
		type filter hook forward priority raw; policy accept;
		ip daddr 169.254.169.254 drop
		ip6 daddr fd00:ec2::254 drop
	}
}
`;

/** A guard on a machine where nft returns these results. */
function aGuard(list: () => CommandEnd, add: () => CommandEnd = () => ({ output: '' })) {
  const clock = new EventClock();
  const installs: string[] = [];
  const run = async (command: string, args: readonly string[]): Promise<CommandEnd> => {
    if (args[0] === '-n') return list();
    installs.push(`${command} ${args.join(' ')}`);
    return add();
  };
  return { clock, installs, guard: new MetadataGuard({ clock, run }) };
}

test('adds its table in one transaction, regardless of existing tables', async () => {
  const { guard, installs } = aGuard(() => ({ output: LISTED }));
  await guard.install();
  expect(installs).toEqual([
    expect.stringMatching(
      /^nft add table inet davit_metadata; delete table inet davit_metadata; add table .* 169\.254\.169\.254 drop; .* fd00:ec2::254 drop$/,
    ),
  ]);
});

test.each<[string, CommandEnd, CommandEnd]>([
  ['nft does not exist', { output: '', failure: 'spawn nft ENOENT' }, { output: LISTED }],
  ['nft lacks the permission', { output: 'Operation not permitted', failure: 'exit status 1' }, { output: LISTED }],
  ['the table is not listed', { output: '' }, { output: 'No such file', failure: 'exit status 1' }],
  ['the table is dormant', { output: '' }, { output: LISTED.replace('{\n', '{\n\tflags dormant\n') }],
  ['a rule is missing', { output: '' }, { output: LISTED.replace('ip6 daddr fd00:ec2::254 drop', '') }],
  ['a rule is different', { output: '' }, { output: LISTED.replace('254 drop', '254 accept') }],
])('rejects if %s', async (_, added, listed) => {
  const { guard } = aGuard(
    () => listed,
    () => added,
  );
  await expect(guard.install()).rejects.toThrow('cannot keep pods from the metadata of the instance');
});

test('adds its table again and reports it if another program removes it', async () => {
  let listed = LISTED;
  const { clock, guard, installs } = aGuard(
    () => ({ output: listed }),
    () => {
      listed = LISTED;
      return { output: '' };
    },
  );
  const faults: unknown[] = [];
  const ending = new AbortController();
  const keeping = guard.keep((error) => faults.push(error), ending.signal);
  await clock.runUntil(clock.sleep(150_000));
  expect(installs).toEqual([]);
  listed = '';
  await clock.runUntil(clock.sleep(60_000));
  expect([installs.length, faults.length]).toEqual([1, 1]);
  ending.abort();
  await clock.runUntil(keeping);
});
