import { afterEach } from 'vitest';
import { logs } from './logs.ts';

/** The length in characters of each log that a failed test prints. */
const SHOWN = 4000;

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const [name, log] of logs) console.log(`the end of the log of ${name}:\n${log().slice(-SHOWN)}`);
});
