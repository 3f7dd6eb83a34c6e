import { describe, expect, test } from 'vitest';
import { finished, inTurns, type Steps } from './steps.ts';

function* counting(told: string[]): Steps<number> {
  told.push('one');
  yield;
  told.push('two');
  yield;
  return 3;
}

describe('steps', () => {
  test('are finished at once', () => {
    const told: string[] = [];
    expect(finished(counting(told))).toBe(3);
    expect(told).toEqual(['one', 'two']);
  });

  test('pause where others may go first', async () => {
    const told: string[] = [];
    const turn = async (): Promise<void> => void told.push('pause');
    expect(await inTurns(counting(told), turn)).toBe(3);
    expect(told).toEqual(['one', 'pause', 'two', 'pause']);
  });

  test('do not pause where there are no others, and throw what they throw', async () => {
    expect(await inTurns(counting([]), undefined)).toBe(3);
    function* failing(): Steps<number> {
      yield;
      throw new RangeError('no');
    }
    await expect(inTurns(failing(), async () => undefined)).rejects.toThrow('no');
    expect(() => finished(failing())).toThrow('no');
  });
});
