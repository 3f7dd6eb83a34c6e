import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, test } from 'vitest';
import { aStack } from '../../synthesized.ts';
import { templateOf } from '../../testing.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'davit-settings-'));
afterAll(() => rmSync(ROOT, { recursive: true }));

/** The fixture's functions, `sites` and `titles`, with these settings in the same folder. */
function folderWith(name: string, functions: string): string {
  const folder = join(ROOT, name);
  cpSync(join(import.meta.dirname, '../../../test/support/fixtures/functions'), folder, { recursive: true });
  writeFileSync(join(folder, 'functions.yaml'), `apiVersion: davit.dev/v1\nkind: Functions\nfunctions:\n${functions}`);
  return folder;
}

const ARN = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:api-AbC123';
const SETTINGS = `
  sites:
    memory: 512
    timeout: 90
    environment: { BUCKET: pages }
    secrets:
      API_KEY: { secret: '${ARN}', key: apiKey }
      OTHER_KEY: { secret: '${ARN}', key: other }
      NAMED: { secret: team/named, env: LOCAL_NAME }
      TOKEN: { parameter: /sites/token }
    access:
    - { actions: ['s3:GetObject'], resources: ['arn:aws:s3:::pages/*'], conditions: { Bool: { 'aws:SecureTransport': 'true' } } }
  titles:
    timeout: 5
    secrets: { TOKEN: { parameter: 'arn:aws:ssm:us-east-1:123456789012:parameter/titles' } }
`;

describe('settings of functions.yaml', () => {
  const template = templateOf({ functions: folderWith('all', SETTINGS) });

  test('are those of the function, with references in place of secrets', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: Match.stringLikeRegexp('^davit-sites-'),
      MemorySize: 512,
      Timeout: 200,
      Environment: {
        Variables: {
          BUCKET: 'pages',
          DAVIT_SECRETS: JSON.stringify({
            API_KEY: { secret: ARN, key: 'apiKey' },
            OTHER_KEY: { secret: ARN, key: 'other' },
            NAMED: { secret: 'team/named' },
            TOKEN: { parameter: '/sites/token' },
          }),
        },
      },
    });
    template.hasResourceProperties('AWS::SQS::Queue', { VisibilityTimeout: 1200 });
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: Match.stringLikeRegexp('^davit-titles-'),
      MemorySize: 256,
      Timeout: 5,
    });
  });

  test('let a role read the secrets of its function, and no others', () => {
    expect(rightsOf(template, 'ReconcilersitesFunctionRole').slice(-3)).toEqual([
      {
        Sid: 'Secrets',
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: [ARN, inAccount('secretsmanager', 'secret:team/named-??????')],
      },
      {
        Sid: 'Parameters',
        Effect: 'Allow',
        Action: 'ssm:GetParameter',
        Resource: inAccount('ssm', 'parameter/sites/token'),
      },
      {
        Effect: 'Allow',
        Action: 's3:GetObject',
        Resource: 'arn:aws:s3:::pages/*',
        Condition: { Bool: { 'aws:SecureTransport': 'true' } },
      },
    ]);
    expect(rightsOf(template, 'WebhooktitlesFunctionRole').slice(1)).toEqual([
      {
        Sid: 'Parameters',
        Effect: 'Allow',
        Action: 'ssm:GetParameter',
        Resource: 'arn:aws:ssm:us-east-1:123456789012:parameter/titles',
      },
    ]);
  });
});

test.each([
  ['sits', '  sits: {}', 'functions.sits: no file declares such a function; the nearest is sites'],
  ['memory', '  sites: { memory: 100 }', 'functions.sites.memory: is a whole number from 128 to 10240'],
  ['arn', "  sites: { secrets: { KEY: { secret: 'arn:aws:iam::1:x' } } }", 'functions.sites.secrets.KEY.secret: is '],
  ['field', '  sites: { ram: 128 }', 'functions.sites: Unrecognized key: "ram"'],
  [
    'platform',
    '  titles: { environment: { DAVIT_FUNCTION: sites } }',
    'functions.titles.environment.DAVIT_FUNCTION: is ',
  ],
])('a wrong setting fails the synthesis with one line: %s', (name, settings, why) => {
  const functions = folderWith(name, settings);
  const line = new RegExp(`^context functions: functions\\.yaml: ${why.replaceAll('.', '\\.')}[^\\n]*$`);
  expect(() => aStack({ functions })).toThrow(expect.objectContaining({ message: expect.stringMatching(line) }));
});

/** The statements of the role whose logical id starts with this prefix. */
function rightsOf(template: Template, id: string): readonly unknown[] {
  const roles = template.findResources('AWS::IAM::Role');
  const [, role] = Object.entries(roles).find(([name]) => name.startsWith(id)) ?? [];
  return role?.['Properties'].Policies[0].PolicyDocument.Statement;
}

const inAccount = (service: string, resource: string): unknown => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      `:${service}:`,
      { Ref: 'AWS::Region' },
      ':',
      { Ref: 'AWS::AccountId' },
      `:${resource}`,
    ],
  ],
});
