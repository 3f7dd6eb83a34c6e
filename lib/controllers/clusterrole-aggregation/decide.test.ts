import { expect, test } from 'vitest';
import { role } from '#lib/authorization/rbac/a-policy.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { decide } from './decide.ts';

const labelled = (name: string, labels: JsonObject, ...rules: string[]): JsonObject => ({
  metadata: { name, labels },
  ...role(...rules),
});
const gathering = (selectors: JsonObject[], ...rules: string[]): JsonObject => ({
  metadata: { name: 'all', labels: { to: 'a' } },
  aggregationRule: { clusterRoleSelectors: selectors },
  ...role(...rules),
});
const TO_A = { matchLabels: { to: 'a' } };
const ROLES = [
  labelled('y', { to: 'a' }, 'list core nodes', 'get core pods'),
  labelled('x', { to: 'a' }, 'get core pods'),
  labelled('z', { to: 'b' }, 'get core secrets'),
  labelled('empty', { to: 'a' }),
];

/** Upstream's TestSyncClusterRole. */
test.each<[string, JsonObject, string[] | undefined]>([
  ['rules in the order of names, each once', gathering([TO_A]), ['get core pods', 'list core nodes']],
  [
    'several selectors in their order',
    gathering([{ matchLabels: { to: 'b' } }, TO_A]),
    ['get core secrets', 'get core pods', 'list core nodes'],
  ],
  [
    'expressions',
    gathering([{ matchExpressions: [{ key: 'to', operator: 'NotIn', values: ['a'] }] }]),
    ['get core secrets'],
  ],
  ['a selector of everything', gathering([{}]), ['get core pods', 'list core nodes', 'get core secrets']],
  ['rules that were there and are not gathered go', gathering([{ matchLabels: { to: 'c' } }], 'get core pods'), []],
  ['nothing to do', gathering([TO_A], 'get core pods', 'list core nodes'), undefined],
  ['nothing to do for nobody', gathering([{ matchLabels: { to: 'c' } }]), undefined],
])('%s', (_, aggregated, rules) => {
  const decided = decide(aggregated, [aggregated, ...ROLES]);
  expect(decided === undefined ? undefined : { rules: decided }).toEqual(
    rules === undefined ? undefined : role(...rules),
  );
});
