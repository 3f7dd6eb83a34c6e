import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** The requirements of a test, in addition to a node that runs pods. */
const NEEDS = ['runs', 'needs two nodes', 'cannot here'];

const linesOf = (path: string): string[] =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');

const listed = linesOf('test/support/conformance/nodes.txt').map((line) => {
  const [needs = '', name = ''] = line.split('\t');
  return { needs, name };
});

const results = linesOf('docs/conformance-pods.md')
  .filter((line) => line.includes('[Conformance]'))
  .map((line) => {
    const [name = '', agent = '', kubelet = '', why = ''] = line.slice(2, -2).split(' | ');
    return { name, agent, kubelet, why: why.trim() };
  });

describe('the list of conformance tests with pods', () => {
  test('has one known status for each test', () => {
    expect(listed.filter(({ needs }) => !NEEDS.includes(needs))).toEqual([]);
    expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  });

  test('has a result for each test, and a reason if one fails', () => {
    const known = new Map(results.map((one) => [one.name, one]));
    expect(listed.filter(({ name }) => !known.has(name))).toEqual([]);
    const unexplained = results.filter(
      ({ agent, kubelet, why }) => (agent !== 'passed' || kubelet !== 'passed') && why === '',
    );
    expect(unexplained).toEqual([]);
  });

  test('has the same counts as the page', () => {
    const page = linesOf('docs/conformance-pods.md').join('\n');
    const passed = (who: 'agent' | 'kubelet', needs = NEEDS) => {
      const chosen = new Set(listed.filter((one) => needs.includes(one.needs)).map(({ name }) => name));
      return results.filter((one) => chosen.has(one.name) && one[who] === 'passed').length;
    };
    const all = (who: 'agent' | 'kubelet') => results.filter((one) => one[who] === 'passed').length;
    const count = (needs: string) => listed.filter((one) => one.needs === needs).length;
    expect(page).toContain(`| Passed, of ${results.length} | ${all('agent')} | ${all('kubelet')} |`);
    expect(page).toContain(
      `| Passed, of the ${listed.length} whose pods must run | ${passed('agent')} | ${passed('kubelet')} |`,
    );
    expect(page).toContain(
      `| Passed, of the ${count('runs')} that need one node and nothing else | ${passed('agent', ['runs'])} | ${passed('kubelet', ['runs'])} |`,
    );
  });

  test('nine of ten tests that run here pass with the node agent', () => {
    const runs = new Set(listed.filter(({ needs }) => needs === 'runs').map(({ name }) => name));
    const passing = results.filter(({ name, agent }) => runs.has(name) && agent === 'passed');
    expect(passing.length / runs.size).toBeGreaterThanOrEqual(0.9);
  });
});
