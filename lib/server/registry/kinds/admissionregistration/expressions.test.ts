import { describe, expect, test } from 'vitest';
import { MUTATING_ADMISSION_POLICIES, VALIDATING_ADMISSION_POLICIES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { refusals } from '../proof/strategy-proof.conformance.ts';

const RULES = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' }];
const match = {
  matchConstraints: { resourceRules: RULES, namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Exact' },
};

const aPolicy = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'p.example.com' },
  spec: { failurePolicy: 'Fail', reinvocationPolicy: 'Never', ...match, ...spec },
});
const validation = (expression: string, more: JsonObject = {}): JsonObject => ({
  validations: [{ expression, ...more }],
});
const UNDECLARED = (name: string): string =>
  `compilation failed: ERROR: <input>:1:1: undeclared reference to '${name}' (in container '')`;

describe('expressions of a validating policy', () => {
  test.each<[string, JsonObject, string]>([
    [
      'another type',
      validation('"x"'),
      `spec.validations[0].expression: Invalid value: "\\"x\\"": must evaluate to bool but got string`,
    ],
    ['any type will do for none', validation('object.x'), 'must evaluate to bool but got dyn'],
    ['bad syntax', validation('1 +'), 'compilation failed: ERROR: <input>:1:4: Syntax error'],
    ['parameters without their kind', validation('params.x == 1'), UNDECLARED('params')],
    ['variables where there are none', validation('variables.x == 1'), UNDECLARED('variables')],
    ['a field that requests have not', validation('request.foo == 1'), "undefined field 'foo'"],
    [
      'a message of another type',
      validation('true', { messageExpression: '1' }),
      'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
    ],
    [
      'a message by the authorizer',
      validation('true', { messageExpression: 'authorizer.path("/").check("get").reason()' }),
      UNDECLARED('authorizer'),
    ],
    [
      'an annotation of another type',
      { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
      'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
    ],
    [
      'a condition of another type',
      { ...validation('true'), matchConditions: [{ name: 'c', expression: '1' }] },
      'spec.matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
    ],
    [
      'a condition by a variable',
      {
        ...validation('true'),
        variables: [{ name: 'x', expression: 'true' }],
        matchConditions: [{ name: 'c', expression: 'variables.x' }],
      },
      UNDECLARED('variables'),
    ],
    [
      'a variable before its time',
      {
        ...validation('true'),
        variables: [
          { name: 'x', expression: 'variables.y' },
          { name: 'y', expression: '1' },
        ],
      },
      'spec.variables[0].expression: Invalid value: "variables.y": compilation failed: ERROR: <input>:1:10: undefined field \'y\'',
    ],
    [
      'a variable of another type',
      { ...validation('variables.x'), variables: [{ name: 'x', expression: '1' }] },
      'must evaluate to bool but got int',
    ],
  ])('%s', (_name, spec, expected) => {
    const texts = refusals(VALIDATING_ADMISSION_POLICIES, aPolicy(spec));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(expected);
  });

  test.each<[string, JsonObject]>([
    [
      'parameters',
      {
        ...validation('params.x == 1'),
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConditions: [{ name: 'c', expression: 'params.y == 2' }],
      },
    ],
    [
      'variables',
      {
        ...validation('variables.y > 0'),
        variables: [
          { name: 'x', expression: '[1]' },
          { name: 'y', expression: 'variables.x[0]' },
        ],
      },
    ],
    ['rights', validation('authorizer.requestResource.check("x").allowed()')],
  ])('%s may be used', (_name, spec) => {
    expect(refusals(VALIDATING_ADMISSION_POLICIES, aPolicy(spec))).toEqual([]);
  });
});

describe('expressions of a mutating policy', () => {
  const applying = (expression: string): JsonObject => ({
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  });
  const patching = (expression: string): JsonObject => ({
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  });

  test.each<[string, JsonObject, string]>([
    [
      'no object',
      applying('"x"'),
      'spec.mutations[0].applyConfiguration.expression: Invalid value: "\\"x\\"": must evaluate to Object but got string',
    ],
    ['a part of one', applying('Object.spec{}'), 'must evaluate to Object but got Object.spec'],
    ['no patch', patching('{"x": 1}'), 'must evaluate to list(JSONPatch) but got map(string, int)'],
    ['nothing', patching('[]'), 'must evaluate to list(JSONPatch) but got list(dyn)'],
    [
      'another operation',
      patching('[JSONPatch{op: 1}]'),
      "expected type of field 'op' is 'string' but provided type is 'int'",
    ],
  ])('%s', (_name, spec, expected) => {
    const texts = refusals(MUTATING_ADMISSION_POLICIES, aPolicy(spec));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(expected);
  });

  test('objects and patches are made', () => {
    const spec = { mutations: [...(applying('Object{spec: Object.spec{x: 1}}')['mutations'] as JsonObject[])] };
    expect(refusals(MUTATING_ADMISSION_POLICIES, aPolicy(spec))).toEqual([]);
    const path = 'jsonpatch.escapeKey("a/b")';
    expect(refusals(MUTATING_ADMISSION_POLICIES, aPolicy(patching(`[JSONPatch{op: "add", path: ${path}}]`)))).toEqual(
      [],
    );
  });
});
