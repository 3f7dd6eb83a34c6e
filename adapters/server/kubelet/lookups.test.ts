import { expect, test } from 'vitest';
import { settled } from '#test/support/settled.ts';
import { Lookups } from './lookups.ts';

const never = new AbortController().signal;

/** Names whose lookups are pending, and a function to finish each. */
function pending() {
  const asked = new Map<string, PromiseWithResolvers<readonly string[]>>();
  const resolve = (name: string): Promise<readonly string[]> => {
    const answer = Promise.withResolvers<readonly string[]>();
    asked.set(name, answer);
    return answer.promise;
  };
  return { names: new Lookups(resolve), asked };
}

test('looks up one name at a time', async () => {
  const { names, asked } = pending();
  const found = ['a', 'b'].map((name) => names.addressesOf(name, never));
  await settled();
  expect([...asked.keys()]).toEqual(['a']);
  asked.get('a')?.resolve(['10.0.0.1']);
  expect(await found[0]).toEqual(['10.0.0.1']);
  await settled();
  expect([...asked.keys()]).toEqual(['a', 'b']);
});

test('shares a pending lookup and repeats a finished one', async () => {
  const { names, asked } = pending();
  const both = [names.addressesOf('a', never), names.addressesOf('a', never)];
  await settled();
  asked.get('a')?.resolve(['10.0.0.1']);
  expect(await Promise.all(both)).toEqual([['10.0.0.1'], ['10.0.0.1']]);
  asked.clear();
  void names.addressesOf('a', never);
  await settled();
  expect([...asked.keys()]).toEqual(['a']);
});

test('does not wait for or look up the name of a caller that gives up', async () => {
  const { names, asked } = pending();
  const slow = names.addressesOf('a', never);
  const gone = new AbortController();
  const left = names.addressesOf('c', gone.signal);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(names.addressesOf('d', gone.signal)).rejects.toThrow('gone');
  await settled();
  asked.get('a')?.resolve([]);
  await slow;
  await settled();
  expect([...asked.keys()]).toEqual(['a']);
});

test('continues after a name whose lookup fails', async () => {
  const { names, asked } = pending();
  const found = ['a', 'b'].map((name) => names.addressesOf(name, never));
  await settled();
  asked.get('a')?.reject(new Error('ENOTFOUND'));
  await expect(found[0]).rejects.toThrow('ENOTFOUND');
  await settled();
  expect([...asked.keys()]).toContain('b');
});
