import { describe, expect, test } from 'vitest';
import { parseFunctionSettings, refuseUnknownFunctions } from './function-settings.ts';

const HEAD = 'apiVersion: davit.dev/v1\nkind: Functions\n';
const ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:sites/api-AbC123';

test('parses every setting', () => {
  const text = `${HEAD}functions:
  sites:
    memory: 512
    timeout: 90
    environment: { BUCKET: pages }
    secrets:
      API_KEY: { secret: '${ARN}', key: apiKey }
      TOKEN: { parameter: /sites/token, env: SITES_TOKEN }
    access:
    - actions: ['s3:GetObject']
      resources: ['arn:aws:s3:::pages/*']
      conditions: { Bool: { 'aws:SecureTransport': 'true' } }
  titles: {}
`;
  const read = parseFunctionSettings(text);
  expect(read.get('sites')).toEqual({
    memory: 512,
    timeout: 90,
    environment: { BUCKET: 'pages' },
    secrets: { API_KEY: { secret: ARN, key: 'apiKey' }, TOKEN: { parameter: '/sites/token', env: 'SITES_TOKEN' } },
    access: [
      {
        actions: ['s3:GetObject'],
        resources: ['arn:aws:s3:::pages/*'],
        conditions: { Bool: { 'aws:SecureTransport': 'true' } },
      },
    ],
  });
  expect(read.get('titles')).toEqual({ environment: {}, secrets: {}, access: [] });
});

describe('invalid settings, reported in one line with file and field', () => {
  test.each([
    ['memory: 64', 'functions.sites.memory: is a whole number from 128 to 10240'],
    ['memory: 20480', 'functions.sites.memory: is a whole number from 128 to 10240'],
    ['memory: much', 'functions.sites.memory: is a whole number from 128 to 10240'],
    ['timeout: 901', 'functions.sites.timeout: is a whole number from 1 to 900'],
    ['timeout: 0.5', 'functions.sites.timeout: is a whole number from 1 to 900'],
    ['memry: 128', 'functions.sites: Unrecognized key: "memry"'],
    [
      'environment: { AWS_REGION: x }',
      'functions.sites.environment.AWS_REGION: is the name of a variable of the platform',
    ],
    ['environment: { DAVIT_TABLE: x }', 'environment.DAVIT_TABLE: is the name of a variable of the platform'],
    ['environment: { davit_table: x }', 'environment.davit_table: is the name of a variable of the platform'],
    ['environment: { LAMBDA_TASK_ROOT: x }', 'environment.LAMBDA_TASK_ROOT: is the name of a variable of the platform'],
    ['environment: { NODE_OPTIONS: x }', 'environment.NODE_OPTIONS: is the name of a variable of the platform'],
    ['environment: { AB: "x\\0y" }', 'functions.sites.environment.AB: has a NUL'],
    ['environment: { 1A: x }', 'environment.1A: is no name of an environment variable'],
    ['environment: { PORT: 80 }', 'functions.sites.environment.PORT: is a text'],
    ['secrets: { AWS_TOKEN: { secret: a } }', 'secrets.AWS_TOKEN: is the name of a variable of the platform'],
    ['secrets: { KEY: {} }', 'functions.sites.secrets.KEY: has secret or parameter'],
    ['secrets: { KEY: { secret: a, parameter: b } }', 'functions.sites.secrets.KEY: has secret or parameter'],
    ['secrets: { KEY: { parameter: a, key: b } }', 'functions.sites.secrets.KEY: has a key of a secret only'],
    ['secrets: { KEY: hunter2 }', 'functions.sites.secrets.KEY: '],
    [
      "secrets: { KEY: { secret: 'arn:aws:s3:::a' } }",
      'functions.sites.secrets.KEY.secret: is the name or the ARN of a secret in Secrets Manager',
    ],
    [
      `secrets: { KEY: { secret: '${ARN.slice(0, -7)}' } }`,
      'functions.sites.secrets.KEY.secret: is the name or the ARN of a secret in Secrets Manager',
    ],
    [
      "secrets: { KEY: { parameter: 'arn:aws:ssm:us-east-1:1:parameter/a' } }",
      'functions.sites.secrets.KEY.parameter: is the name or the ARN of a parameter in Parameter Store',
    ],
    [
      '{ environment: { KEY: a }, secrets: { KEY: { secret: b } } }',
      'functions.sites.secrets.KEY: is in environment too',
    ],
    [
      `environment: { LONG: ${'x'.repeat(3060)} }`,
      'functions.sites: environment and secrets have more than 3072 bytes',
    ],
    ["access: [{ actions: ['*'], resources: ['*'] }]", 'access.0.actions.0: is an action of IAM, as s3:GetObject'],
    ["access: [{ actions: ['s3:GetObject'], resources: [pages] }]", 'access.0.resources.0: is an ARN, or *'],
    ["access: [{ actions: ['s3:GetObject'] }]", 'functions.sites.access.0.resources: '],
  ])('rejects the setting %s', (given, why) => {
    const parse = () => parseFunctionSettings(`${HEAD}functions:\n  sites:\n    ${given}\n`);
    expect(parse).toThrow(TypeError);
    expect(parse).toThrow(why);
    expect(parse).toThrow(/^functions\.yaml: [^\n]*$/);
  });

  test.each([
    ['', 'Invalid input'],
    ['a: [', 'yaml: '],
    ['kind: Functions\nfunctions: {}', 'apiVersion: is davit.dev/v1'],
    ['apiVersion: davit.dev/v1\nkind: Config\nfunctions: {}', 'kind: is Functions'],
    [HEAD, 'functions: is an object of settings by the names of functions'],
    [`${HEAD}functions: {}\nmore: 1`, 'Unrecognized key: "more"'],
    [`${HEAD}functions:\n  a: {}\n  a: {}\n`, 'already'],
    [`#${'x'.repeat(300_000)}`, 'has more than 262144 bytes'],
  ])('rejects the file %.60j', (text, why) => {
    const parse = () => parseFunctionSettings(text);
    expect(parse).toThrow(why);
    expect(parse).toThrow(/^functions\.yaml: [^\n]*$/);
  });

  test('rejects a function that no file declares', () => {
    const read = parseFunctionSettings(`${HEAD}functions: { sits: {} }`);
    expect(() => refuseUnknownFunctions(read, ['sites', 'titles'])).toThrow(
      'functions.yaml: functions.sits: no file declares such a function; the nearest is sites',
    );
    expect(() => refuseUnknownFunctions(read, ['sits'])).not.toThrow();
  });
});
