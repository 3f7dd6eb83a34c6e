import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configOf as apiserver } from '#functions/apiserver/config.ts';
import { configOf as metricsServer } from '#functions/metrics-server/config.ts';
import { aStack } from '../synthesized.ts';
import { templateOf } from '../testing.ts';

const WITH = { nodes: true, metricsApi: true };

/** The properties of the function of the metrics API. */
function functionOf(context: Readonly<Record<string, unknown>>) {
  const all = Object.entries(templateOf(context).findResources('AWS::Lambda::Function'));
  return all.flatMap(([id, { Properties }]) => (id.startsWith('MetricsServerFunction') ? [Properties] : []));
}

test('the stack has no metrics API by default, whether or not it has nodes', () => {
  expect(functionOf({})).toEqual([]);
  expect(functionOf({ nodes: true })).toEqual([]);
  expect(aStack({ nodes: true }).users.functions.text()).toBeUndefined();
});

describe.each(['function-url', 'rest', 'web-function'])('the metrics API behind %s', (frontDoor) => {
  test('is one small function whose scrapes stay together', () => {
    expect(functionOf({ frontDoor, ...WITH })).toMatchObject([
      { Handler: 'index.handler', MemorySize: 512, Timeout: 60, ReservedConcurrentExecutions: 5 },
    ]);
  });

  test('is declared as an aggregated API of that function, and is told as one', () => {
    const stack = aStack({ frontDoor, ...WITH });
    const [properties] = functionOf({ frontDoor, ...WITH });
    expect(JSON.parse(stack.users.functions.text() ?? '')).toMatchObject({
      apis: [
        {
          function: properties?.['FunctionName'],
          declaration: {
            name: 'metrics-server',
            group: 'metrics.k8s.io',
            version: 'v1beta1',
            resources: [{ name: 'nodes' }, { name: 'pods' }],
          },
        },
      ],
    });
    templateOf({ frontDoor, ...WITH }).resourceCountIs('Custom::DavitFunctions', 1);
  });
});

test('the function reads the variables that the template sets', () => {
  const environment = (context: object): Record<string, string> => {
    const [properties] = functionOf({ ...WITH, ...context });
    const variables = Object.entries<unknown>(properties?.['Environment'].Variables);
    const made = (name: string): string => (name.endsWith('_URL') ? 'wss://made.example.com/davit' : 'made');
    return Object.fromEntries(variables.map(([name, value]) => [name, typeof value === 'string' ? value : made(name)]));
  };
  expect(metricsServer(environment({}))).toEqual({ resolution: 60_000 });
  expect(metricsServer(environment({ metricResolution: '15s' })).resolution).toBe(15_000);
  expect(apiserver(environment({}))).toMatchObject({ clusterId: 'davit', gateway: { url: expect.any(String) } });
});

test('a function of a user that serves the same group version is refused in one line', () => {
  const stack = aStack(WITH);
  const declaration = { ...JSON.parse(stack.users.functions.text() ?? '').apis[0].declaration, name: 'mine' };
  expect(() => stack.users.addApi(declaration, 'davit-mine-1')).toThrow(
    'functions metrics-server and mine both serve metrics.k8s.io/v1beta1',
  );
});

test('davit invocations reads its log', () => {
  expect(aStack(WITH).logGroups).toHaveLength(aStack({ nodes: true }).logGroups.length + 1);
  const functions = join(import.meta.dirname, '../../test/fixtures/functions');
  expect(aStack({ ...WITH, functions }).logGroups.length).toBe(aStack({ functions }).logGroups.length + 2);
});
