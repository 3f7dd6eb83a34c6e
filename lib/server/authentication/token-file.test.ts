import { expect, test } from 'vitest';
import { parseTokenFile, tokenFile } from './token-file.ts';

test('parses token, user, uid and groups of a line', () => {
  const text = '# who may come\r\nt1,bob,7\n\n t2 , "car,ol" ,8,"a,b"\n,nobody,1\n"t""3",eve,,c\n';
  expect([...parseTokenFile(text)]).toEqual([
    ['t1', { name: 'bob', uid: '7', groups: [] }],
    ['t2', { name: 'car,ol', uid: '8', groups: ['a', 'b'] }],
    ['t"3', { name: 'eve', uid: '', groups: ['c'] }],
  ]);
});

test.each(['t1,bob', 't1,,7', 't1'])('rejects %j without repeating it in the error', (line) => {
  const parse = () => parseTokenFile(`t0,a,1\n${line}`);
  expect(parse).toThrow('line 2');
  expect(parse).not.toThrow('t1');
});

test('matches only a complete token', async () => {
  const known = tokenFile(new Map([['secret', { name: 'bob', groups: [] }]]));
  const ask = async (token: string) => (await known(token, { warn: () => {} }))?.user.name;
  expect(await Promise.all(['secret', 'secre', 'secrets', ''].map(ask))).toEqual([
    'bob',
    undefined,
    undefined,
    undefined,
  ]);
});
