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
      'a validation that returns a string',
      validation('"x"'),
      `spec.validations[0].expression: Invalid value: "\\"x\\"": must evaluate to bool but got string`,
    ],
    ['a validation that may return any type', validation('object.x'), 'must evaluate to bool but got dyn'],
    ['a syntax error', validation('1 +'), 'compilation failed: ERROR: <input>:1:4: Syntax error'],
    ['params but no paramKind', validation('params.x == 1'), UNDECLARED('params')],
    ['variables that are not defined', validation('variables.x == 1'), UNDECLARED('variables')],
    ['an unknown field of the request', validation('request.foo == 1'), "undefined field 'foo'"],
    [
      'a message expression that returns a number',
      validation('true', { messageExpression: '1' }),
      'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
    ],
    [
      'the authorizer in a message expression',
      validation('true', { messageExpression: 'authorizer.path("/").check("get").reason()' }),
      UNDECLARED('authorizer'),
    ],
    [
      'an audit annotation that returns a number',
      { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
      'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
    ],
    [
      'a match condition that returns a number',
      { ...validation('true'), matchConditions: [{ name: 'c', expression: '1' }] },
      'spec.matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
    ],
    [
      'a variable in a match condition',
      {
        ...validation('true'),
        variables: [{ name: 'x', expression: 'true' }],
        matchConditions: [{ name: 'c', expression: 'variables.x' }],
      },
      UNDECLARED('variables'),
    ],
    [
      'a variable that refers to a later one',
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
      'a validation that returns a numeric variable',
      { ...validation('variables.x'), variables: [{ name: 'x', expression: '1' }] },
      'must evaluate to bool but got int',
    ],
  ])('rejects a policy with %s', (_name, spec, expected) => {
    const texts = refusals(VALIDATING_ADMISSION_POLICIES, aPolicy(spec));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(expected);
  });

  test.each<[string, JsonObject]>([
    [
      'params',
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
    ['the authorizer', validation('authorizer.requestResource.check("x").allowed()')],
  ])('accepts expressions with %s', (_name, spec) => {
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
      'a string instead of an object',
      applying('"x"'),
      'spec.mutations[0].applyConfiguration.expression: Invalid value: "\\"x\\"": must evaluate to Object but got string',
    ],
    ['only a part of an object', applying('Object.spec{}'), 'must evaluate to Object but got Object.spec'],
    ['a map instead of patches', patching('{"x": 1}'), 'must evaluate to list(JSONPatch) but got map(string, int)'],
    ['an untyped empty list', patching('[]'), 'must evaluate to list(JSONPatch) but got list(dyn)'],
    [
      'a patch whose operation is a number',
      patching('[JSONPatch{op: 1}]'),
      "expected type of field 'op' is 'string' but provided type is 'int'",
    ],
  ])('rejects a mutation that returns %s', (_name, spec, expected) => {
    const texts = refusals(MUTATING_ADMISSION_POLICIES, aPolicy(spec));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(expected);
  });

  test('accepts mutations that return objects and JSON patches', () => {
    const spec = { mutations: [...(applying('Object{spec: Object.spec{x: 1}}')['mutations'] as JsonObject[])] };
    expect(refusals(MUTATING_ADMISSION_POLICIES, aPolicy(spec))).toEqual([]);
    const path = 'jsonpatch.escapeKey("a/b")';
    expect(refusals(MUTATING_ADMISSION_POLICIES, aPolicy(patching(`[JSONPatch{op: "add", path: ${path}}]`)))).toEqual(
      [],
    );
  });
});
