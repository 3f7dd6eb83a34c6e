import { expect, test } from 'vitest';
import { forbidden } from '#lib/machinery/errors.ts';
import { placeOf } from './place-of.ts';

const root = new URL('../../../', import.meta.url);
const stack = (...frames: string[]): Error =>
  Object.assign(new Error('no'), { stack: ['Error: no', ...frames.map((frame) => `    at ${frame}`)].join('\n') });

test.each<[string, unknown, string | undefined]>([
  ['a function', stack('look (file:///f/sites.ts:3:5)', 'run (file:///f/b.ts:1:1)'), '/f/sites.ts:3:5'],
  ['only the file', stack('file:///f/sites.ts:3:5'), '/f/sites.ts:3:5'],
  ['an async call', stack('async file:///f/sites.ts:3:5'), '/f/sites.ts:3:5'],
  ['a path with spaces', stack('look (/my f/sites.ts:3:5)'), '/my f/sites.ts:3:5'],
  [
    'frames of Node.js',
    stack('JSON.parse (<anonymous>)', 'readFile (node:fs:1:2)', 'look (/f/sites.ts:3:5)'),
    '/f/sites.ts:3:5',
  ],
  [
    'frames of this program',
    stack(`send (${root.href}lib/client/a.ts:1:2)`, 'look (/f/sites.ts:3:5)'),
    '/f/sites.ts:3:5',
  ],
  ['only frames of this program', stack(`send (${root.href}lib/client/a.ts:1:2)`), undefined],
  ['no frames', Object.assign(new Error('no'), { stack: 'Error: no' }), undefined],
  ['no error object', 'no', undefined],
  ['a long line', stack(`${'('.repeat(100_000)}/f/sites.ts:3:5)`), undefined],
])('finds the location for a stack with %s', (_, error, place) => {
  expect(placeOf(error)).toBe(place);
});

test('finds the location of the caller for an error of the server', () => {
  const refused = forbidden({ group: '', resource: 'pods' }, 'a', 'no');
  const at = `    at send (${root.href}lib/client/a.ts:1:2)\n    at async /f/sites.ts:3:5`;
  expect(placeOf(Object.assign(refused, { stack: `Error: no\n${at}` }))).toBe('/f/sites.ts:3:5');
});
