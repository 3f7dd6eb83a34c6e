import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aggregate, FieldPath } from '#lib/machinery/validation/field.ts';
import { filterOn, isQueuedOn, scoresOn } from '#lib/scheduler/testing/extension-points.ts';
import { aHandle, aNode, aNodeInfo, aPod, aPodInfo } from '#lib/scheduler/testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import { SKIP } from '../../status.ts';
import { nodeAffinityArgs, validateNodeAffinityArgs } from './args.ts';
import { nodeAffinity } from './node-affinity.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const labelled = (key: string, operator: string, ...values: string[]): JsonObject => ({
  matchExpressions: [{ key, operator, values }],
});
const named = (...values: string[]): JsonObject => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values }],
});
const required = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({ [REQUIRED]: { nodeSelectorTerms } });
const preferred = (weight: number, preference: JsonObject): JsonObject => ({ [PREFERRED]: [{ weight, preference }] });
const wanting = (nodeAffinity_: JsonObject, spec: JsonObject = {}): Pod =>
  aPod({ spec: { ...spec, affinity: { nodeAffinity: nodeAffinity_ } } });
const plugin = (addedAffinity?: JsonObject) =>
  nodeAffinity(nodeAffinityArgs.parse(addedAffinity === undefined ? {} : { addedAffinity }), aHandle());

const node = aNodeInfo({ name: 'n', labels: { zone: 'a', size: '8' } });
const FOR_POD = {
  code: 'UnschedulableAndUnresolvable',
  reasons: ["node(s) didn't match Pod's node affinity/selector"],
} as const;
const FOR_ALL = {
  code: 'UnschedulableAndUnresolvable',
  reasons: ["node(s) didn't match scheduler-enforced node affinity"],
} as const;

describe('the filter of NodeAffinity', () => {
  test.each<[string, Pod, unknown]>([
    ['without any requirement', aPod(), SKIP],
    ['without required affinity', wanting({}), SKIP],
    ['with the nodeSelector labels', aPod({ spec: { nodeSelector: { zone: 'a' } } }), undefined],
    ['without a nodeSelector label', aPod({ spec: { nodeSelector: { zone: 'a', disk: 'ssd' } } }), FOR_POD],
    ['that a term matches', wanting(required(labelled('zone', 'In', 'b'), labelled('size', 'Gt', '4'))), undefined],
    ['that no term matches', wanting(required(labelled('zone', 'NotIn', 'a'))), FOR_POD],
    ['against no terms', wanting(required()), FOR_POD],
    ['against an empty term', wanting(required({ matchExpressions: [] })), FOR_POD],
    ['against an invalid term', wanting(required(labelled('zone', 'In', '{{.bad-value.}}'))), FOR_POD],
    [
      'with a matching term but without a nodeSelector label',
      wanting(required(labelled('zone', 'Exists')), { nodeSelector: { a: 'b' } }),
      FOR_POD,
    ],
    ['named by a term', wanting(required(named('n'))), undefined],
    ['named by one of two terms', wanting(required(named('n'), labelled('zone', 'In', 'b'))), undefined],
    [
      'named by a term with other labels',
      wanting(required({ ...named('n'), ...labelled('zone', 'In', 'b') })),
      FOR_POD,
    ],
  ])('checks a node %s', (_, pod, expected) => {
    expect(filterOn(plugin(), pod, node)).toEqual(expected);
  });

  test.each<[string, JsonObject, JsonObject, unknown]>([
    [
      'both the pod and the configuration',
      required(labelled('zone', 'In', 'a')),
      required(labelled('size', 'Exists')),
      undefined,
    ],
    ['only the pod', required(labelled('zone', 'In', 'b')), required(labelled('size', 'Exists')), FOR_ALL],
    [
      'only the configuration',
      required(labelled('zone', 'In', 'a')),
      required(labelled('size', 'DoesNotExist')),
      FOR_POD,
    ],
    ['the configuration, for a pod without affinity', required(labelled('zone', 'In', 'b')), {}, FOR_ALL],
  ])('checks a node that matches %s', (_, added, own, expected) => {
    expect(filterOn(plugin(added), wanting(own), node)).toEqual(expected);
  });
});

test.each<[string, JsonObject[], unknown]>([
  ['only named nodes', [named('a'), named('b')], { result: { nodeNames: new Set(['a', 'b']) } }],
  ['all nodes if a term names none', [named('a'), labelled('zone', 'Exists')], {}],
  [
    'all nodes if terms only exclude names',
    [{ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['a'] }] }],
    {},
  ],
  [
    'no nodes if names contradict each other',
    [
      {
        matchFields: [
          { key: 'metadata.name', operator: 'In', values: ['a'] },
          { key: 'metadata.name', operator: 'In', values: ['b'] },
        ],
      },
    ],
    { status: { code: 'UnschedulableAndUnresolvable', reasons: ['pod affinity terms conflict'] } },
  ],
])('checks among the nodes %s', (_, terms, expected) => {
  const pod = aPodInfo({ spec: { affinity: { nodeAffinity: required(...terms) } } });
  expect(plugin().preFilter?.(new CycleState(), pod, [])).toEqual(expected);
});

describe('the score of NodeAffinity', () => {
  const nodes = [
    aNodeInfo({ name: 'one', labels: { foo: 'bar' } }),
    aNodeInfo({ name: 'two', labels: { key: 'value', az: 'az1' } }),
    aNodeInfo({ name: 'three', labels: { foo: 'bar', key: 'value', az: 'az1' } }),
  ];
  const foo = { weight: 2, preference: labelled('foo', 'In', 'bar') };
  const az = { weight: 4, preference: labelled('az', 'In', 'az1') };
  test.each<[string, JsonObject, JsonObject | undefined, number[] | object]>([
    ['without preferences', {}, undefined, SKIP],
    ['no node matches', preferred(3, labelled('foo', 'In', 'other')), undefined, [0, 0, 0]],
    ['one node matches', preferred(3, named('one')), undefined, [100, 0, 0]],
    ['all nodes match, some with more weight', { [PREFERRED]: [foo, az] }, undefined, [33, 66, 100]],
    ['with preferences from the configuration', {}, { [PREFERRED]: [az] }, [0, 100, 100]],
    ['both the pod and the configuration', { [PREFERRED]: [foo] }, { [PREFERRED]: [az] }, [33, 66, 100]],
    [
      'with an invalid term',
      preferred(3, labelled('foo', 'In', '{{.bad-value.}}')),
      undefined,
      { code: 'Error', reasons: [expect.stringContaining('matchExpressions[0].values[0][foo]: Invalid value')] },
    ],
  ])('scores nodes: %s', (_, own, added, expected) => {
    expect(scoresOn(plugin(added), wanting(own), nodes)).toEqual(expected);
  });
});

describe('NodeAffinity: queueing hints', () => {
  const suits = aNode({ labels: { zone: 'a' } });
  const other = aNode({ labels: { zone: 'b' } });
  const pod = wanting(required(labelled('zone', 'In', 'a')));
  test.each<[string, JsonObject | undefined, JsonObject, JsonObject | undefined, boolean]>([
    ['yes for a new matching node', undefined, suits, undefined, true],
    ['no for a new node that does not match', undefined, other, undefined, false],
    ['yes for a node that now matches', other, suits, undefined, true],
    ['no for a node that already matched', suits, suits, undefined, false],
    ['no for a node that the configuration excludes', undefined, suits, required(labelled('zone', 'In', 'b')), false],
  ])('decide whether to retry a waiting pod: %s', (_, before, after, added, expected) => {
    const change = before === undefined ? { after } : { before, after };
    expect(isQueuedOn(plugin(added), ['Node', 'UpdateNodeLabel'], pod, change)).toBe(expected);
  });

  test('retry a pod whose own terms cannot be parsed', () => {
    const broken = wanting(required(labelled('zone', 'In', '{{.bad-value.}}')));
    expect(isQueuedOn(plugin(), ['Node', 'Add'], broken, { after: suits })).toBe(true);
  });
});

test('rejects invalid arguments with their field paths', () => {
  const args = nodeAffinityArgs.parse({
    kind: 'NodeAffinityArgs',
    addedAffinity: { ...required(labelled('zone', 'Like')), ...preferred(1, labelled('zone', 'In')) },
  });
  expect(aggregate(validateNodeAffinityArgs(args, FieldPath.of('args')))).toBe(
    '[args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: ' +
      'Unsupported value: "Like": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", ' +
      'args.addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].matchExpressions[0].values: ' +
      "Invalid value: []: for 'in', 'notin' operators, values set can't be empty]",
  );
  expect(nodeAffinityArgs.safeParse({ addedAffinty: {} }).success).toBe(false);
});
