import { expect, test } from 'vitest';
import { Lookups } from './lookups.ts';

const never = new AbortController().signal;

/** Names that are being looked up, and the end of each. */
function pending() {
  const asked = new Map<string, PromiseWithResolvers<readonly string[]>>();
  const resolve = (name: string): Promise<readonly string[]> => {
    const answer = Promise.withResolvers<readonly string[]>();
    asked.set(name, answer);
    return answer.promise;
  };
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
  return { names: new Lookups(resolve), asked, turn };
}

test('a name is looked up when the one before is done', async () => {
  const { names, asked, turn } = pending();
  const found = ['a', 'b'].map((name) => names.addressesOf(name, never));
  await turn();
  expect([...asked.keys()]).toEqual(['a']);
  asked.get('a')?.resolve(['10.0.0.1']);
  expect(await found[0]).toEqual(['10.0.0.1']);
  await turn();
  expect([...asked.keys()]).toEqual(['a', 'b']);
});

test('a name that is being looked up is not looked up again, one that was is', async () => {
  const { names, asked, turn } = pending();
  const both = [names.addressesOf('a', never), names.addressesOf('a', never)];
  await turn();
  asked.get('a')?.resolve(['10.0.0.1']);
  expect(await Promise.all(both)).toEqual([['10.0.0.1'], ['10.0.0.1']]);
  asked.clear();
  void names.addressesOf('a', never);
  await turn();
  expect([...asked.keys()]).toEqual(['a']);
});

test('a caller that gives up does not wait, and its name is not looked up', async () => {
  const { names, asked, turn } = pending();
  const slow = names.addressesOf('a', never);
  const gone = new AbortController();
  const left = names.addressesOf('c', gone.signal);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(names.addressesOf('d', gone.signal)).rejects.toThrow('gone');
  await turn();
  asked.get('a')?.resolve([]);
  await slow;
  await turn();
  expect([...asked.keys()]).toEqual(['a']);
});

test('a name without an answer frees its place', async () => {
  const { names, asked, turn } = pending();
  const found = ['a', 'b'].map((name) => names.addressesOf(name, never));
  await turn();
  asked.get('a')?.reject(new Error('ENOTFOUND'));
  await expect(found[0]).rejects.toThrow('ENOTFOUND');
  await turn();
  expect([...asked.keys()]).toContain('b');
});
