import { describe, expect, test } from 'vitest';
import { afterTurn, finished, inOrder, inTurns, type Step, type Steps } from './steps.ts';

function* counting(told: string[]): Steps<number> {
  told.push('one');
  yield;
  told.push('two');
  yield;
  return 3;
}

describe('steps with pauses', () => {
  test('run to the end at once with finished', () => {
    const told: string[] = [];
    expect(finished(counting(told))).toBe(3);
    expect(told).toEqual(['one', 'two']);
  });

  test('pause if other tasks may run', async () => {
    const told: string[] = [];
    const turn = async (): Promise<void> => void told.push('pause');
    expect(await inTurns(counting(told), turn)).toBe(3);
    expect(told).toEqual(['one', 'pause', 'two', 'pause']);
  });

  test('do not pause without other tasks, and throw their errors', async () => {
    expect(await inTurns(counting([]), undefined)).toBe(3);
    function* failing(): Steps<number> {
      yield;
      throw new RangeError('no');
    }
    await expect(inTurns(failing(), async () => undefined)).rejects.toThrow('no');
    expect(() => finished(failing())).toThrow('no');
  });

  test('run in order as a list, with a pause after each', async () => {
    const told: string[] = [];
    const tell =
      (what: string): Step<string> =>
      (subject) =>
        void told.push(`${what} ${subject}`);
    function* long(subject: string): Steps<void> {
      told.push(`begin ${subject}`);
      yield;
      told.push(`end ${subject}`);
    }
    const turn = async (): Promise<void> => void told.push('pause');
    await inTurns(inOrder([tell('first'), long, tell('last')], 'it'), turn);
    expect(told).toEqual(['first it', 'pause', 'begin it', 'pause', 'end it', 'pause', 'last it', 'pause']);
  });
});

test('wait for other tasks only if there are any', async () => {
  const told: string[] = [];
  const work = (): number => told.push('work');
  expect(await afterTurn(async () => void told.push('others'), work)).toBe(2);
  expect(await afterTurn(() => undefined, work)).toBe(3);
  expect(await afterTurn(undefined, work)).toBe(4);
  expect(told).toEqual(['others', 'work', 'work', 'work']);
});
