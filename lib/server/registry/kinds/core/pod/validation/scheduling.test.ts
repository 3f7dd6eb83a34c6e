import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { createErrors } from '../builders.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const selector = { matchLabels: { app: 'web' } };

describe('validation of tolerations', () => {
  const T = 'spec.tolerations[0]';
  test.each<[string, JsonObject, string[]]>([
    ['is accepted if it tolerates everything', { operator: 'Exists' }, []],
    [
      'is rejected without a key unless it tolerates everything',
      { operator: 'Equal' },
      [
        `${T}.operator: Invalid value: "Equal": operator must be Exists when \`key\` is empty, which means "match all values and all keys"`,
      ],
    ],
    [
      'is rejected with both a value and the operator Exists',
      { key: 'k', operator: 'Exists', value: 'v' },
      [`${T}.operator: Invalid value: "v": value must be empty when \`operator\` is 'Exists'`],
    ],
    [
      'is rejected with seconds and an effect that does not evict',
      { key: 'k', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 },
      [`${T}.effect: Invalid value: "NoSchedule": effect must be 'NoExecute' when \`tolerationSeconds\` is set`],
    ],
    [
      'is rejected with a comparison operator, which is off by default',
      { key: 'k', operator: 'Lt', value: '1' },
      [`${T}.operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"`],
    ],
    [
      'is rejected with an unknown effect',
      { key: 'k', effect: 'Never' },
      [`${T}.effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`],
    ],
  ])('a toleration %s', (_, toleration, expected) => {
    expect(createErrors({ tolerations: [toleration] })).toEqual(expected);
  });
});

describe('validation of affinities', () => {
  const N = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  const A = `spec.affinity.podAffinity.${REQUIRED}[0]`;
  const nodes = (...terms: JsonObject[]): JsonObject => ({
    nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: terms } },
  });
  const pods = (term: JsonObject): JsonObject => ({ podAffinity: { [REQUIRED]: [term] } });
  test.each<[string, JsonObject, string[]]>([
    [
      'to nodes is rejected without terms',
      nodes(),
      [`${N}: Required value: must have at least one node selector term`],
    ],
    [
      'to nodes is rejected with operator In and no values',
      nodes({ matchExpressions: [{ key: 'zone', operator: 'In' }] }),
      [`${N}[0].matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`],
    ],
    [
      'to nodes is rejected with an unknown operator',
      nodes({ matchExpressions: [{ key: 'zone', operator: 'Near' }] }),
      [`${N}[0].matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`],
    ],
    [
      'to nodes is rejected with a field other than the name',
      nodes({ matchFields: [{ key: 'spec.x', operator: 'In', values: ['a'] }] }),
      [`${N}[0].matchFields[0].key: Invalid value: "spec.x": not a valid field selector key`],
    ],
    [
      'is rejected with a weight outside of 1 to 100',
      { nodeAffinity: { [PREFERRED]: [{ weight: 0, preference: {} }] } },
      [`spec.affinity.nodeAffinity.${PREFERRED}[0].weight: Invalid value: 0: must be in the range 1-100`],
    ],
    ['to pods is accepted with a topology key', pods({ labelSelector: selector, topologyKey: 'zone' }), []],
    [
      'to pods is rejected without a topology key',
      pods({ labelSelector: selector }),
      [
        `${A}.topologyKey: Required value: can not be empty`,
        `${A}.topologyKey: Invalid value: "": name part must be non-empty`,
        `${A}.topologyKey: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
    [
      'to pods is rejected with label keys and no selector',
      pods({ topologyKey: 'zone', matchLabelKeys: ['app'] }),
      [`${A}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`],
    ],
  ])('an affinity %s', (_, affinity, expected) => {
    expect(createErrors({ affinity })).toEqual(expected);
  });
});

describe('validation of topology spreads', () => {
  const S = 'spec.topologySpreadConstraints';
  const one = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector };
  test.each<[string, JsonObject[], string[]]>([
    ['is accepted with one constraint', [one], []],
    [
      'is rejected with two constraints of the same key and action',
      [one, one],
      [`${S}[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"`],
    ],
    [
      'is rejected with a skew of 0',
      [{ ...one, maxSkew: 0 }],
      [`${S}[0].maxSkew: Invalid value: 0: must be greater than zero`],
    ],
    [
      'is rejected with minDomains and ScheduleAnyway',
      [{ ...one, whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2 }],
      [
        `${S}[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway`,
      ],
    ],
    [
      'is rejected with a key in both matchLabelKeys and the selector',
      [
        {
          ...one,
          matchLabelKeys: ['app'],
          labelSelector: { ...selector, matchExpressions: [{ key: 'app', operator: 'Exists' }] },
        },
      ],
      [`${S}[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector`],
    ],
  ])('a topology spread %s', (_, topologySpreadConstraints, expected) => {
    expect(createErrors({ topologySpreadConstraints })).toEqual(expected);
  });
});

test('rejects a pod with scheduling gates and a node, and with a duplicate gate', () => {
  expect(createErrors({ nodeName: 'n', schedulingGates: [{ name: 'a' }, { name: 'a' }] })).toEqual([
    'spec.schedulingGates[1]: Duplicate value: "a"',
    'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
  ]);
});
