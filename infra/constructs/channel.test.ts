import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { aStack } from '../synthesized.ts';
import { templateOf } from '../testing.ts';

const KINDS = ['Api', 'Route', 'Integration', 'Stage'].map((kind) => `AWS::ApiGatewayV2::${kind}`);

/** The template without the digest of the code, because all tests write their code to one folder. */
const textOf = (context: object): string =>
  JSON.stringify(templateOf({ ...context }).toJSON()).replaceAll(/[0-9a-f]{64}\.zip/g, 'code.zip');

describe('a stack without nodes', () => {
  test('has the same template byte for byte, and no WebSocket API', () => {
    const template = textOf({});
    expect(textOf({ nodes: 'false' })).toBe(template);
    expect(template).not.toMatch(/ApiGatewayV2|DAVIT_CHANNEL_URL|ManageConnections|channel\//i);
  });
});

describe.each(['function-url', 'rest', 'web-function'])('a stack with nodes behind %s', (frontDoor) => {
  const template = templateOf({ frontDoor, nodes: 'true' });

  test('has a WebSocket API in addition, and no alarm and no schedule', () => {
    const without = templateOf({ frontDoor });
    for (const type of ['AWS::CloudWatch::Alarm', 'AWS::Scheduler::Schedule', 'AWS::Events::Rule'])
      expect(Object.keys(template.findResources(type))).toEqual(Object.keys(without.findResources(type)));
    const counts = KINDS.map((kind) => Object.keys(template.findResources(kind)).length);
    expect(counts).toEqual([1, 3, 1, 1]);
  });

  test('gives the API server its address', () => {
    const { Resources } = template.toJSON() as { Resources: Readonly<Record<string, object>> };
    const told = Object.entries(Resources).filter(([, resource]) =>
      JSON.stringify(resource).includes('DAVIT_CHANNEL_URL'),
    );
    expect(told.map(([id]) => /^(?:Api|Channel)/.exec(id)?.[0])).toEqual(expect.arrayContaining(['Api', 'Channel']));
  });
});

describe('the relay of channels', () => {
  const template = templateOf({ nodes: 'true' });

  test.each(['$connect', '$default', '$disconnect'])(
    'receives events of %s, without an authorizer and a response',
    (route) => {
      template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
        RouteKey: route,
        AuthorizationType: 'NONE',
        RouteResponseSelectionExpression: Match.absent(),
      });
      template.hasResourceProperties('AWS::Lambda::Permission', {
        Principal: 'apigateway.amazonaws.com',
        SourceArn: Match.objectLike({ 'Fn::Join': ['', Match.arrayWith([`/*${route}`])] }),
      });
    },
  );

  test('is small, with bounded concurrency', () => {
    const found = template.findResources('AWS::Lambda::Function', {
      Properties: { Description: 'Davit: relays messages of nodes' },
    });
    expect(Object.values(found).map(({ Properties }) => Properties as object)).toMatchObject([
      { MemorySize: 128, Timeout: 29, ReservedConcurrentExecutions: 50 },
    ]);
  });

  test.each([
    [50, {}],
    [200, { channelConcurrency: '200' }],
  ])('is called at a concurrency of %i at most ten times as often per second', (concurrency, context) => {
    const asked = templateOf({ nodes: 'true', ...context });
    asked.hasResourceProperties('AWS::Lambda::Function', {
      MemorySize: 128,
      ReservedConcurrentExecutions: concurrency,
    });
    const throttle = { ThrottlingRateLimit: concurrency * 10, ThrottlingBurstLimit: concurrency * 10 };
    asked.hasResourceProperties('AWS::ApiGatewayV2::Stage', { StageName: 'davit', DefaultRouteSettings: throttle });
  });

  test('has a log that davit invocations reads', () => {
    const [own] = Object.keys(template.findResources('AWS::Logs::LogGroup')).filter((id) => id.startsWith('Channel'));
    const outputs = template.findOutputs('*');
    expect(JSON.stringify(outputs)).toContain(own);
    expect(aStack({ nodes: 'true' }).logGroups).toHaveLength(aStack().logGroups.length + 1);
  });
});
