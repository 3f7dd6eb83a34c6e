import { expect, test } from 'vitest';
import { retryOnError } from './retry-on-error.ts';

const BACKOFF = { duration: 10, factor: 2, steps: 4 };

/** Runs work that fails with these errors first. Returns its outcome, the attempts and the delays between them. */
async function retried(errors: readonly string[]) {
  const slept: number[] = [];
  let attempts = 0;
  const work = async (): Promise<string> => {
    const error = errors[attempts++];
    if (error !== undefined) throw new Error(error);
    return 'done';
  };
  const clock = { sleep: async (milliseconds: number) => void slept.push(milliseconds) };
  const isRetriable = (error: unknown): boolean => error instanceof Error && error.message === 'busy';
  const outcome = await retryOnError(work, BACKOFF, { clock, isRetriable }).catch((error: Error) => error.message);
  return { outcome, attempts, slept };
}

test.each([
  ['returns the first success without a delay', [], { outcome: 'done', attempts: 1, slept: [] }],
  [
    'repeats after retriable errors, later each time',
    ['busy', 'busy'],
    { outcome: 'done', attempts: 3, slept: [10, 20] },
  ],
  ['rejects with another error at once', ['busy', 'broken'], { outcome: 'broken', attempts: 2, slept: [10] }],
  [
    'rejects with the last error after all steps',
    ['busy', 'busy', 'busy', 'busy'],
    { outcome: 'busy', attempts: 4, slept: [10, 20, 40] },
  ],
])('%s, with its attempts and delays', async (_, errors, expected) => {
  expect(await retried(errors)).toEqual(expected);
});
