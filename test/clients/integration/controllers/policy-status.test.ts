import { expect, test } from 'vitest';
import { validatingPolicyStatus } from '#lib/controllers/validatingadmissionpolicy-status/reconcile.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const POLICIES = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
};
const make: Reconcilers = (client) => [validatingPolicyStatus(client)];

const rule = (apiGroup: string, ...resources: string[]): JsonObject => ({
  operations: ['CREATE'],
  apiGroups: [apiGroup],
  apiVersions: ['v1'],
  resources,
});

function aPolicy(spec: JsonObject, ...rules: JsonObject[]): JsonObject {
  return { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: rules }, ...spec } };
}

const says = (expression: string, more: JsonObject = {}): JsonObject => ({ validations: [{ expression, ...more }] });

async function statusOf(world: World): Promise<JsonObject | undefined> {
  return objectAt(await world.user.get(refOf(POLICIES, '', 'p')), 'status');
}

async function warningsOf(policy: JsonObject): Promise<unknown> {
  const world = new World();
  await world.user.create(POLICIES, policy);
  await world.run(make);
  const status = await statusOf(world);
  await world.close();
  expect(world.faults).toEqual([]);
  expect(status?.['observedGeneration']).toBe(1);
  return objectAt(status, 'typeChecking')?.['expressionWarnings'];
}

const DEPLOYMENTS = rule('apps', 'deployments');
const [APPS, CORE] = ['apps/v1, Kind=Deployment: ERROR: <input>:1', '/v1, Kind=ConfigMap: ERROR: <input>:1'];
const at = (field: string, warning: string): JsonObject => ({ fieldRef: `spec.validations[0].${field}`, warning });
const wrong = (expression: string, ...lines: string[]): JsonObject[] => [
  at('expression', lines.map((line) => `${line}\n`.replace('$', ` | ${expression}`)).join('\n')),
];

test.each<[string, JsonObject, unknown]>([
  ['fields that are there', aPolicy(says('object.spec.replicas > 1'), DEPLOYMENTS), undefined],
  [
    'a field that is not',
    aPolicy(says('object.spec.foo > 1'), DEPLOYMENTS),
    wrong('object.spec.foo > 1', `${APPS}:12: undefined field 'foo'\n$\n | ...........^`),
  ],
  [
    'a type that does not fit',
    aPolicy(says('oldObject.spec.replicas == "x"'), DEPLOYMENTS),
    wrong(
      'oldObject.spec.replicas == "x"',
      `${APPS}:25: found no matching overload for '_==_' applied to '(int, string)'\n$\n | ........................^`,
    ),
  ],
  [
    'a message, by the kinds that it is wrong for, in their order',
    aPolicy(
      says('true', { messageExpression: 'object.data.a + string(object.spec.replicas)' }),
      DEPLOYMENTS,
      rule('', 'configmaps'),
    ),
    [
      at(
        'messageExpression',
        [
          `${CORE}:30: undefined field 'spec'\n | object.data.a + string(object.spec.replicas)\n | .............................^\n`,
          `${APPS}:7: undefined field 'data'\n | object.data.a + string(object.spec.replicas)\n | ......^\n`,
        ].join('\n'),
      ),
    ],
  ],
  [
    'variables, whose own faults are not told',
    aPolicy(
      {
        variables: [
          { name: 'r', expression: 'object.spec.replicas' },
          { name: 'bad', expression: 'object.none' },
        ],
        ...says('variables.r == "x" || variables.bad'),
      },
      DEPLOYMENTS,
    ),
    wrong(
      'variables.r == "x" || variables.bad',
      `${APPS}:13: found no matching overload for '_==_' applied to '(int, string)'\n$\n | ............^`,
    ),
  ],
  [
    'parameters',
    aPolicy(
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...says('params.none == object.metadata.name') },
      DEPLOYMENTS,
    ),
    wrong('params.none == object.metadata.name', `${APPS}:7: undefined field 'none'\n$\n | ......^`),
  ],
  [
    'an integer or a string, a quantity, what holds itself',
    aPolicy(says('object.spec.strategy.rollingUpdate.maxSurge == 1 || object.spec.template.spec.foo'), DEPLOYMENTS),
    wrong(
      'object.spec.strategy.rollingUpdate.maxSurge == 1 || object.spec.template.spec.foo',
      `${APPS}:78: undefined field 'foo'\n$\n | ${'.'.repeat(77)}^`,
    ),
  ],
  ['wildcards', aPolicy(says('object.none == 1'), rule('*', 'deployments'), rule('apps', '*')), undefined],
  ['subresources', aPolicy(says('object.none == 1'), rule('apps', 'deployments/scale')), undefined],
  ['what nothing serves', aPolicy(says('object.none == 1'), rule('example.com', 'widgets')), undefined],
])('checks the types of a policy with %s', async (_, policy, expected) =>
  expect(await warningsOf(policy)).toEqual(expected),
);

test('warns once per generation and removes the warning with its cause, no matter when the controller is killed', async () => {
  const prepare = async (world: World): Promise<void> => {
    await world.user.create(POLICIES, aPolicy(says('object.spec.foo == 1'), DEPLOYMENTS));
  };
  const check = async (world: World): Promise<void> => {
    expect(await statusOf(world)).toMatchObject({
      observedGeneration: 1,
      typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression' }] },
    });
    await world.user.patch(refOf(POLICIES, '', 'p'), { spec: says('object.spec.paused == true') });
    await world.run(make);
    expect(await statusOf(world)).toEqual({ observedGeneration: 2, typeChecking: {} });
  };
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(1);
});
