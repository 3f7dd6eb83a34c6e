import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PATTERNS, patternFacts } from './patterns.ts';
import { ROOT } from './rooms.ts';
import { rowsOf } from './table.ts';

/** Copies of each mechanism, two for each row. */
const COPIES: Readonly<Record<string, string>> = {
  'Patterns: waits in tests outside their home':
    'await expect\n  .poll(read).toBe(1); while (!isOver) await sleep(20);',
  'Patterns: pending work of tests awaited outside its home':
    'await new Promise(setImmediate); for (let i = 0; i < 50; i++) await Promise.resolve();',
  'Patterns: sleeps in tests': 'await sleep(5); await new Promise((resolve) => setTimeout(resolve, 5));',
  'Patterns: IP addresses parsed outside their home':
    "const mask = (0xff00 >> bits) & 0xff; import { connect, isIPv6 } from 'node:net';",
  'Patterns: host and port joined outside the home':
    'isIPv6 ? `[${host}]:${port}` : host; isIPv6\n ? `[${host}]`\n : host',
  'Patterns: exponential delays outside their home':
    'wait = Math.min(BACKOFF.most, wait * 2); pause = FIRST * (0.5 + this.#options.random());',
  'Patterns: races outside the home of time-outs':
    'await Promise.race([work, late]); return Promise.race(all).finally(end);',
  'Patterns: abort listeners outside their home':
    "signal.addEventListener('abort', end); signal?.addEventListener(\n'abort', end);",
  'Patterns: terminal phases of pods outside their home':
    "phase === 'Failed' || phase === 'Succeeded'; ['Succeeded', 'Failed'].includes(phase);",
  'Patterns: conditions found or set outside their home':
    "conditions?.find(({ type }) => type === 'Ready');\nheld?.status === status ? held.lastTransitionTime : now;",
  'Patterns: bounds of integers outside their home': 'const MOST = 2 ** 31 - 1; const MAX = 2n ** 63n - 1n;',
  'Patterns: kubeconfigs outside their home': "{ 'current-context': name }; { 'current-context': 'davit' };",
  'Patterns: times of objects formatted outside their home':
    'timeText(instantOf(now)); `${now.toISOString().slice(0, 19)}Z`;',
};

const countsOf = (path: string, text: string) => patternFacts([{ path, text }]);
const of = (ofTests = false): string => (ofTests ? 'lib/server/a.test.ts' : 'lib/server/a.ts');

describe('the counts of copies', () => {
  test.each(PATTERNS)('counts two copies for "$name"', ({ name, ofTests }) => {
    expect(countsOf(of(ofTests), COPIES[name] ?? '')).toMatchObject({ [name]: 2 });
    expect(countsOf(of(ofTests === undefined), COPIES[name] ?? '')).toMatchObject({ [name]: 0 });
  });

  test.each(PATTERNS)('counts no copy in the home of "$name"', ({ name, exempt }) => {
    const [home = ''] = exempt;
    expect(countsOf(home.endsWith('/') ? `${home}a.ts` : home, COPIES[name] ?? '')).toMatchObject({ [name]: 0 });
  });

  test('adds the copies of all files', () => {
    const sources = ['a.ts', 'b.ts'].map((path) => ({ path, text: 'x x' }));
    expect(patternFacts(sources, [{ name: 'x', regex: /x/g, goal: '≤ 0', exempt: ['b.ts'] }])).toEqual({ x: 2 });
    expect(patternFacts(sources, [{ name: 'x', regex: /x/g, goal: '≤ 0', exempt: [] }])).toEqual({ x: 4 });
  });
});

test('every pattern has a row with its goal in CONTRIBUTING.md', () => {
  const rows = rowsOf(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'));
  expect(rows.map(({ fact, goal }) => [fact, goal])).toEqual(
    expect.arrayContaining(PATTERNS.map(({ name, goal }) => [name, goal])),
  );
});
