import { describe, expect, test } from 'vitest';
import { CompileError, compile } from '../compile.ts';
import { environment } from '../environment.ts';
import { activationOf, program } from '../program.ts';
import { standard } from '../stdlib/standard.ts';
import { CelError } from '../values/value.ts';
import {
  type AuthorizationAttributes,
  type Authorize,
  authorizerType,
  authorizerValue,
  requestResourceValue,
  resourceCheckType,
} from './authorizer.ts';
import { jsonPatch } from './jsonpatch.ts';
import { kubernetesEstimator, kubernetesLibraries } from './kubernetes.ts';

const asked: AuthorizationAttributes[] = [];
const authorize: Authorize = (attributes) => {
  asked.push(attributes);
  return { allowed: attributes.verb === 'get', reason: 'by verb' };
};
const env = environment({
  libraries: [standard, ...kubernetesLibraries, jsonPatch],
  variables: { authorizer: authorizerType, requested: resourceCheckType },
  estimator: kubernetesEstimator(),
});
const variables = activationOf({
  authorizer: authorizerValue(authorize),
  requested: requestResourceValue(authorize, { group: 'apps', resource: 'deployments', namespace: 'a', name: 'b' }),
});

function evaluate(expression: string): unknown {
  const compiled = compile(expression, env);
  if (compiled instanceof CompileError) return compiled.message;
  const ready = program(compiled.checked, env);
  const value = ready instanceof CelError ? ready : ready.evaluate(variables).value;
  return value instanceof CelError ? value.message : value;
}

const cases: readonly (readonly [string, unknown, object | undefined])[] = [
  ["authorizer.path('/healthz').check('get').allowed()", true, { path: '/healthz', verb: 'get' }],
  ["authorizer.path(' ').check('get').allowed()", 'path must not be empty', undefined],
  [
    "authorizer.group('').resource('pods').subresource('log').namespace('a').name('b').check('list').allowed()",
    false,
    { group: '', resource: 'pods', subresource: 'log', namespace: 'a', name: 'b', verb: 'list' },
  ],
  [
    "authorizer.serviceAccount('a', 'b').group('').resource('pods').labelSelector('x=y').check('get').reason()",
    'by verb',
    {
      serviceAccount: { namespace: 'a', name: 'b' },
      group: '',
      resource: 'pods',
      labelSelector: 'x=y',
      verb: 'get',
    },
  ],
  ["authorizer.serviceAccount('a', 'B').path('/').check('get').allowed()", 'Invalid service account name', undefined],
  [
    "requested.check('get').errored()",
    false,
    { group: 'apps', resource: 'deployments', namespace: 'a', name: 'b', verb: 'get' },
  ],
  ["jsonpatch.escapeKey('a/b~c')", 'a~1b~0c', undefined],
];

describe('library of authorization checks', () => {
  test.each(cases)('evaluates the expression %s', (expression, value, attributes) => {
    asked.length = 0;
    expect(evaluate(expression)).toBe(value);
    expect(asked).toEqual(attributes === undefined ? [] : [attributes]);
  });
});
