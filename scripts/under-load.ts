// Runs tests 20 times in a row at the lowest priority with 8 concurrent busy loops: `npm run test:under-load -- local`. The arguments are
// vitest's. `--times=N` changes the number of runs. It stops at the first run that fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { mortal } from '#test/support/mortal.ts';

const LOOPS = 8;
/** Ends by itself after this process was killed. */
const BUSY = 'const parent = process.ppid; while (process.ppid === parent);';

const args = process.argv.slice(2);
const times = Number(args.find((arg) => arg.startsWith('--times='))?.slice('--times='.length) ?? 20);
const tests = args.filter((arg) => !arg.startsWith('--times='));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
setPriority(constants.priority.PRIORITY_LOW); // child processes inherit it, so the rest of the machine is not slowed down
for (let i = 0; i < LOOPS; i++) mortal(spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));

for (let i = 1; i <= times; i++) {
  console.log(`run ${i} of ${times}`);
  const vitest = mortal(
    spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tests], { stdio: 'inherit' }),
  );
  const [code] = await once(vitest, 'exit');
  if (code !== 0) process.exit(1);
}
process.exit(0);
