import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Duration } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { describe, expect, test } from 'vitest';
import { usersReconcilers } from '#functions/stream/users-reconcilers.ts';
import { parseDeclaration } from '#lib/client/controller/declaration.ts';
import type { PlatformStack } from '../../platform-stack.ts';
import { aStack } from '../../synthesized.ts';
import { templateOf } from '../../testing.ts';
import { AggregatedApi } from './aggregated-api.ts';
import { Reconciler } from './reconciler.ts';
import { Webhook } from './webhook.ts';

const functions = join(import.meta.dirname, '../../../test/support/fixtures/functions');
const REVIEWS = join(import.meta.dirname, '../../../test/support/fixtures/reviews/reviews.ts');
const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const entry = join(functions, 'sites.ts');

describe('functions of a folder', () => {
  const template = templateOf({ functions });

  test('give a reconciler its own FIFO queue, with a visibility time-out longer than its own', () => {
    const QueueName = 'davit-sites-36d3d9f3.fifo';
    template.hasResourceProperties('AWS::SQS::Queue', { QueueName, FifoQueue: true, VisibilityTimeout: 840 });
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'davit-sites-36d3d9f3',
      Handler: 'index.reconciling',
      Timeout: 140,
      Environment: { Variables: { DAVIT_FUNCTION: 'sites', DAVIT_TIMEOUT: '60000', DAVIT_RECONCILE_RATE: '20' } },
    });
  });

  test('limit a webhook to the time-out of its caller', () => {
    template.hasResourceProperties('AWS::Lambda::Function', { FunctionName: 'davit-titles-4cc51314', Timeout: 10 });
  });

  test("stream an aggregated API's responses to the API server and the built-in reconcilers", () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: Match.stringLikeRegexp('^davit-quotes-'),
      Handler: 'index.streaming',
      Timeout: 300,
      MemorySize: 256,
      Environment: { Variables: { DAVIT_FUNCTION: 'quotes' } },
    });
    const [id] = Object.entries(template.findResources('AWS::Lambda::Function')).find(
      ([, { Properties }]) => Properties.Handler === 'index.streaming',
    ) ?? [''];
    const invokers = Object.entries(template.findResources('AWS::IAM::Policy')).filter(([, policy]) =>
      JSON.stringify(policy['Properties'].PolicyDocument).includes(id),
    );
    const roles = JSON.stringify(invokers.map(([, policy]) => policy['Properties'].Roles));
    expect(roles).toContain('Reconcilers');
    expect(roles).toContain('Api');
    expect(roles).not.toContain('Scheduler');
  });

  test('have a schedule for periodic reconciles', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 hour)',
      Target: { Input: '{"schedule":"resync"}', RetryPolicy: { MaximumRetryAttempts: 2 } },
    });
  });

  test('notify the stream after a deployment of both', () => {
    const [declared] = Object.values(template.findResources('Custom::DavitFunctions'));
    const after = JSON.stringify(declared?.['DependsOn']);
    for (const id of ['DoorbellFunction', 'ReconcilersFunction', 'ReconcilersitesFunction', 'WebhooktitlesFunction'])
      expect(after).toContain(`"${id}`);
  });

  test('reject a missing folder in one line', () => {
    expect(() => aStack({ functions: '/none' })).toThrow(
      'context functions is the path of a folder; there is no /none',
    );
  });
});

test('creates no resources for users without functions', () => {
  const template = templateOf();
  template.resourceCountIs('Custom::DavitFunctions', 0);
  template.resourceCountIs('AWS::Lambda::Function', 4);
});

describe('constructs of users', () => {
  /** The text of a file in a function's deployed asset. */
  function deployed(stack: PlatformStack, prefix: string, file: string): string {
    const assembly = App.of(stack)?.synth();
    if (assembly === undefined) throw new Error('no assembly');
    const { Resources } = assembly.getStackByName(stack.stackName).template as {
      Resources: Record<string, { Type: string; Properties: { Code: { S3Key: string } } }>;
    };
    const found = Object.entries(Resources).find(
      ([id, { Type }]) => id.startsWith(prefix) && Type === 'AWS::Lambda::Function',
    );
    return join(assembly.directory, `asset.${found?.[1].Properties.Code.S3Key.replace('.zip', '')}`, file);
  }

  test('may be created after everything else: the platform is deployed with their declarations', () => {
    const stack = aStack();
    new Reconciler(stack, 'Sites', { entry });
    new Webhook(stack, 'Titles', { entry });
    new AggregatedApi(stack, 'Quotes', { entry: join(functions, 'quotes.ts') });
    const woken = usersReconcilers(deployed(stack, 'DoorbellFunction', 'reconcilers.json'));
    expect(woken).toMatchObject([{ name: 'sites', queue: 'davit-sites-36d3d9f3.fifo' }]);
    const declared: unknown = JSON.parse(
      readFileSync(deployed(stack, 'ReconcilersFunction', 'functions.json'), 'utf8'),
    );
    expect(declared).toMatchObject({
      reconcilers: [{ name: 'sites' }],
      webhooks: [{ function: 'davit-titles-4cc51314', declaration: { name: 'titles' } }],
      apis: [{ function: expect.stringMatching(/^davit-quotes-/), declaration: { name: 'quotes' } }],
    });
  });

  test("reconcile their objects again after changes of the author's code only", () => {
    const folder = mkdtempSync(join(tmpdir(), 'davit-code-'));
    const file = join(folder, 'sites.ts');
    const source = readFileSync(entry, 'utf8');
    const codeWith = (text: string, props = {}): unknown[] => {
      writeFileSync(file, text);
      const stack = aStack();
      new Reconciler(stack, 'Sites', { entry: file, name: 'sites', ...props });
      const all = Template.fromStack(stack).findResources('Custom::DavitReconciler');
      return Object.values(all).map(({ Properties }) => Properties.Code);
    };
    try {
      const [code] = codeWith(source);
      expect(code).toMatch(/^[0-9a-f]{64}$/);
      expect(codeWith(`// a comment\n${source}`)).toEqual([code]);
      expect(codeWith(`${source}\nexport const version = 2;`)).not.toEqual([code]);
      expect(codeWith(source, { reconcileOnDeploy: false })).toEqual([]);
      expect(codeWith(source, { reconcileOnDeploy: 100 })).toEqual([code]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('reject a call that leaves no time for the rest of its batch', () => {
    const timeout = Duration.seconds(441);
    expect(() => new Reconciler(aStack(), 'Sites', { entry, timeout })).toThrow(
      'timeout of sites: a call of a reconciler may last 440 seconds at most',
    );
  });

  test("accept a function's additional needs", () => {
    const stack = aStack();
    const access = [new PolicyStatement({ actions: ['s3:GetObject'], resources: ['arn:aws:s3:::pages/*'] })];
    const needs = { memory: 1024, timeout: Duration.minutes(5), environment: { BUCKET: 'pages' }, access };
    new Reconciler(stack, 'Sites', { entry, ...needs, concurrency: 2 });
    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::Lambda::Function', {
      MemorySize: 1024,
      Timeout: 620,
      Environment: { Variables: { BUCKET: 'pages', DAVIT_FUNCTION: 'sites' } },
    });
    template.hasResourceProperties('AWS::SQS::Queue', { VisibilityTimeout: 3720 });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency: 2 } });
    template.hasResourceProperties('AWS::IAM::Role', {
      Policies: [{ PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Action: 's3:GetObject' })]) } }],
    });
  });

  test.each<[string, (stack: PlatformStack) => void, string]>([
    ['of another name', (stack) => new Reconciler(stack, 'A', { entry, name: 'pages' }), 'declares sites, no pages'],
    ['no file', (stack) => new Webhook(stack, 'A', { entry: 'none.ts' }), 'there is no file of functions none.ts'],
    [
      'twice',
      (stack) => {
        new Reconciler(stack, 'A', { entry });
        new Reconciler(stack, 'B', { entry });
      },
      'two functions have the name sites',
    ],
  ])('report in one line: %s', (_, make, message) => {
    expect(() => make(aStack())).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
  });

  test('may be as many as CloudFormation allows resources: 54 reconcilers', () => {
    const many = Array.from({ length: 54 }, (_, i) => `reconciler-of-team-${i}`);
    const declared = many.map(
      (name, i) => `export const r${i} = defineReconciler(
        { name: '${name}', for: { apiVersion: 'v1', kind: 'ConfigMap' } }, async () => {});`,
    );
    const file = join(mkdtempSync(join(tmpdir(), 'davit-many-')), 'many.ts');
    writeFileSync(file, [`import { defineReconciler } from '@davit-dev/davit/controller';`, ...declared].join('\n'));
    const stack = aStack();
    for (const name of many) new Reconciler(stack, name, { entry: file, name });
    const template = Template.fromStack(stack);
    const roles = Object.values(template.findResources('AWS::IAM::Role')).flatMap(({ Properties }) =>
      Properties.RoleName === undefined ? [] : [JSON.stringify(Properties.RoleName)],
    );
    expect(new Set(roles).size).toBe(many.length);
    expect(roles[0]).toMatch(/"davit-",\{"Ref":"AWS::Region"\},"-[0-9a-f]{8}-[0-9a-f]{8}"/);
    const policies = Object.values(template.findResources('AWS::IAM::Policy'));
    const sending = policies.map(({ Properties }) => Properties.PolicyDocument.Statement as { Resource: object[] }[]);
    const resources = sending.flatMap((all) => all.map(({ Resource }) => Resource.length));
    expect(resources.filter((count) => count > 2)).toEqual([many.length, many.length]);
  });

  test('are rejected if a control plane inside a VPC could not reach them', () => {
    const stack = aStack({ frontDoor: 'rest', vpcEndpoint: 'vpce-1' });
    expect(() => new Reconciler(stack, 'Sites', { entry })).toThrow(
      'context vpcEndpoint: reconcilers of users are in no VPC',
    );
  });

  test('are rejected in one line if their names are too long', () => {
    const { users } = aStack();
    const add = (i: number): void =>
      users.addReconciler(
        parseDeclaration({ name: `a-reconciler-with-a-name-of-many-letters-${i}`, for: CONFIG_MAP }),
        'queue',
      );
    expect(() => Array.from({ length: 100 }, (_, i) => i).forEach(add)).toThrow(
      /^names of a stack's reconcilers are 2600 bytes at most, and these are 26\d\d$/,
    );
  });

  test('are announced to the functions that serve the API if they serve reviews, one for each', () => {
    const stack = aStack();
    for (const name of ['tokens', 'images', 'access']) new Webhook(stack, name, { entry: REVIEWS, name });
    expect(() => stack.users.addWebhook({ type: 'TokenReview', name: 'others' }, 'f')).toThrow(
      'functions tokens and others are both a TokenReview: one is asked',
    );
    const deployedFunctions = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function'));
    const timeouts = deployedFunctions.flatMap(
      ({
        Properties: {
          Environment: { Variables: of },
          Timeout: timeout,
        },
      }) => (of.DAVIT_FUNCTION === undefined ? [] : [[of.DAVIT_FUNCTION, timeout]]),
    );
    expect(Object.fromEntries(timeouts)).toEqual({ tokens: 10, images: 10, access: 3 });
    const told = deployedFunctions.flatMap(
      ({
        Properties: {
          Environment: { Variables: of },
        },
      }) => of.DAVIT_REVIEWS ?? [],
    );
    const names = ['TokenReview=davit-tokens', 'ImagePolicy=davit-images', 'SubjectAccessReview=davit-access'];
    const expected = new RegExp(`^${names.map((name) => `${name}-[0-9a-f]{8}`).join(',')}$`);
    expect(told).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(expected)));
  });
});
