import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configOf as apiserver } from '#functions/apiserver/config.ts';
import { configOf as metricsServer } from '#functions/metrics-server/config.ts';
import { reconcilerRole } from '#lib/client/controller/function-names.ts';
import { READER_RULES } from '#lib/sdk/metrics-server/reader-rules.ts';
import { FRONT_DOORS } from '../context.ts';
import { aStack } from '../synthesized.ts';
import { templateOf } from '../testing.ts';

const MADE = 'https://made.example.com';
const WITH = { nodes: true, metricsApi: true };

/** A front door with the metrics API. */
const withMetrics = (frontDoor: string) => ({
  frontDoor,
  metricsApi: true,
  ...(frontDoor === 'container' ? {} : { nodes: true }),
});

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

describe.each(FRONT_DOORS)('the metrics API behind %s', (frontDoor) => {
  test('is one small function that keeps its scrapes together', () => {
    expect(functionOf(withMetrics(frontDoor))).toMatchObject([
      { Handler: 'index.handler', MemorySize: 512, Timeout: 60, ReservedConcurrentExecutions: 5 },
    ]);
  });

  test('is declared and registered as an aggregated API of that function', () => {
    const stack = aStack(withMetrics(frontDoor));
    const [properties] = functionOf(withMetrics(frontDoor));
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
    templateOf(withMetrics(frontDoor)).resourceCountIs('Custom::DavitFunctions', 1);
  });
});

describe('the function reads the variables that the template sets', () => {
  const environment = (context: Readonly<Record<string, unknown>>): Record<string, string> => {
    const variables = Object.entries<unknown>(functionOf(context)[0]?.['Environment'].Variables);
    const made = (name: string): string => (name === 'DAVIT_CHANNEL_URL' ? 'wss://made.example.com/davit' : MADE);
    return Object.fromEntries(variables.map(([name, value]) => [name, typeof value === 'string' ? value : made(name)]));
  };

  test('configures an API server of its own', () => {
    expect(metricsServer(environment(WITH))).toEqual({ resolution: 60_000, remote: undefined });
    expect(metricsServer(environment({ ...WITH, metricResolution: '15s' })).resolution).toBe(15_000);
    expect(apiserver(environment(WITH))).toMatchObject({ clusterId: 'davit', gateway: { url: expect.any(String) } });
  });

  test('configures the API server in a container, which authenticates it by its role', () => {
    const context = withMetrics('container');
    const { remote } = metricsServer(environment(context));
    expect(remote).toMatchObject({ url: MADE, clusterId: 'davit' });
    const [role] = Object.entries(templateOf(context).findResources('AWS::IAM::Role')).flatMap(
      ([id, { Properties }]) =>
        id.startsWith('MetricsServerFunctionRole') ? [JSON.stringify(Properties['RoleName'])] : [],
    );
    const [told] = /"DAVIT_RECONCILERS","Value":"[^"]+"/.exec(JSON.stringify(templateOf(context).toJSON())) ?? [];
    expect(told).toBe('"DAVIT_RECONCILERS","Value":"metrics-server"');
    expect(role).toContain(reconcilerRole('', 'metrics-server'));
    expect(JSON.parse(aStack(context).users.functions.text() ?? '')).toMatchObject({
      accounts: [{ name: 'metrics-server', rules: READER_RULES }],
    });
    expect(JSON.parse(aStack(WITH).users.functions.text() ?? '')).toMatchObject({ accounts: [] });
  });
});

test("a user's function with the same group version is rejected in one line", () => {
  const stack = aStack(WITH);
  const declaration = { ...JSON.parse(stack.users.functions.text() ?? '').apis[0].declaration, name: 'mine' };
  expect(() => stack.users.addApi(declaration, 'davit-mine-1')).toThrow(
    'functions metrics-server and mine both serve metrics.k8s.io/v1beta1',
  );
});

test('davit invocations reads its log', () => {
  expect(aStack(WITH).logGroups).toHaveLength(aStack({ nodes: true }).logGroups.length + 1);
  const functions = join(import.meta.dirname, '../../test/support/fixtures/functions');
  expect(aStack({ ...WITH, functions }).logGroups.length).toBe(aStack({ functions }).logGroups.length + 2);
});
