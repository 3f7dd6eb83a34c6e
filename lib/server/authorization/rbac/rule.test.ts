import { expect, test } from 'vitest';
import { asks, role } from './a-policy.ts';
import { ruleAllows, rulesOf } from './rule.ts';

/** Upstream's TestRuleMatches and additional cases. */
test.each<[rule: string, asked: string, allowed: boolean]>([
  ['* *', 'get /x', true],
  ['* *', 'get ns core pods', false],
  ['* * *', 'get ns core pods', true],
  ['* * *', 'get - apps widgets/scale x', true],
  ['* * *', 'get /x', false],
  ['get core pods', 'get ns core pods', true],
  ['get core pods', 'GET ns core pods', false],
  ['get core pods', 'list ns core pods', false],
  ['get core pods', 'get ns apps pods', false],
  ['get core pods', 'get ns core pods/log', false],
  ['get core pods/log', 'get ns core pods/log', true],
  ['get core pods/log', 'get ns core pods', false],
  ['get core pods/*', 'get ns core pods/log', false],
  ['get core */log', 'get ns core pods/log', true],
  ['get core */log', 'get ns core pods/exec', false],
  ['get core */log', 'get ns core log', false],
  ['get core *', 'get ns core pods/exec', true],
  ['get core,apps pods', 'get ns apps pods', true],
  ['get core pods a,b', 'get ns core pods b', true],
  ['get core pods a,b', 'get ns core pods c', false],
  ['get core pods a,b', 'list ns core pods', false],
  ['list core pods a', 'list ns core pods a', true],
  ['get core pods *', 'get ns core pods x', false],
  ['get /x', 'get /x', true],
  ['get /x', 'get /x/', false],
  ['get /x', 'get /x/y', false],
  ['get /x/*', 'get /x/y/z', true],
  ['get /x/*', 'get /x', false],
  ['get /x*', 'get /xyz', true],
  ['get /x/**', 'get /x/y', true],
  ['get /x/*/z', 'get /x/y/z', false],
  ['post /x', 'get /x', false],
])('the rule %s allows %s: %s', (rule, asked, allowed) => {
  expect(rulesOf(role(rule)).some((one) => ruleAllows(one, asks(asked)))).toBe(allowed);
});
