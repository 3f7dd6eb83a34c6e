import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { ClusterRole } from '#lib/api/types/rbac.v1.ts';
import { CLUSTER_ROLES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { role } from '#lib/server/authorization/rbac/a-policy.ts';
import { decide, isAggregated } from './decide.ts';

const labelled = (name: string, labels: JsonObject, ...rules: string[]): ClusterRole =>
  decodedAs(CLUSTER_ROLES, { metadata: { name, labels }, ...role(...rules) });
const gathering = (selectors: JsonObject[], ...rules: string[]): ClusterRole =>
  decodedAs(CLUSTER_ROLES, {
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
test.each<[string, ClusterRole, string[] | undefined]>([
  ['rules in the order of names, each once', gathering([TO_A]), ['get core pods', 'list core nodes']],
  [
    'rules of several selectors in their order',
    gathering([{ matchLabels: { to: 'b' } }, TO_A]),
    ['get core secrets', 'get core pods', 'list core nodes'],
  ],
  [
    'rules selected by expressions',
    gathering([{ matchExpressions: [{ key: 'to', operator: 'NotIn', values: ['a'] }] }]),
    ['get core secrets'],
  ],
  [
    'rules of all roles for an empty selector',
    gathering([{}]),
    ['get core pods', 'list core nodes', 'get core secrets'],
  ],
  ['no rules that other roles no longer have', gathering([{ matchLabels: { to: 'c' } }], 'get core pods'), []],
  ['an unchanged set of rules without a write', gathering([TO_A], 'get core pods', 'list core nodes'), undefined],
  ['no rules if no role is selected', gathering([{ matchLabels: { to: 'c' } }]), undefined],
])('a role aggregates %s', (_, aggregated, rules) => {
  const decided = decide(aggregated, [aggregated, ...ROLES]);
  expect(decided === undefined ? undefined : { rules: decided }).toEqual(
    rules === undefined ? undefined : role(...rules),
  );
});

describe('roles that aggregate each other', () => {
  const ring = (name: string, to: string, from: string[], ...rules: string[]): ClusterRole => ({
    ...gathering(
      from.map((label) => ({ matchLabels: { to: label } })),
      ...rules,
    ),
    metadata: { name, labels: { to } },
  });
  /** The final rules of all roles, reconciled one after the other or all at once. */
  function settled(roles: readonly ClusterRole[], atOnce: boolean): unknown {
    const now = [...roles];
    for (let turn = 0; turn < 5; turn++) {
      const before = [...now];
      const changed = now.filter((one, i) => {
        const rules = isAggregated(one) ? decide(one, atOnce ? before : now) : undefined;
        if (rules !== undefined) now[i] = { ...one, rules };
        return rules !== undefined;
      });
      if (changed.length === 0) return now.filter(isAggregated).map(({ rules }) => rules);
    }
    return 'for ever';
  }

  test.each([true, false])('converge on the rules of other roles only (all at once: %s)', (atOnce) => {
    const given = [
      ring('k', 'k', ['l', 'm', 'a'], 'list core secrets'),
      ring('l', 'l', ['m', 'k', 'b'], 'get core events'),
      ring('m', 'm', ['k', 'l']),
      ...ROLES,
    ];
    const [pods, nodes, secrets] = ['get core pods', 'list core nodes', 'get core secrets'] as const;
    const expected = [role(secrets, pods, nodes), role(pods, nodes, secrets), role(secrets, pods, nodes)];
    expect(settled(given, atOnce)).toEqual(expected.map(({ rules }) => rules));
  });

  test('have no rules if no other role provides any', () => {
    const given = [ring('k', 'k', ['l'], 'get core pods'), ring('l', 'l', ['k'])];
    expect(settled(given, true)).toEqual([[], []]);
  });
});
