import { describe, expect, test } from 'vitest';
import type { SecretReference } from '#lib/client/controller/function-settings.ts';
import { jsonCall, signedHeaders } from '#lib/server/authentication/aws/signed-headers.ts';
import { awsSecrets } from './aws-secrets.ts';

const environment = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI',
};

interface Sent {
  readonly url: string;
  readonly target: string | null;
  readonly body: unknown;
}

/** Reads over a network that responds to each request with the next of `answers`: a status and a body, or no response. */
async function readBy(
  answers: readonly (readonly [number, unknown] | undefined)[],
  reference: SecretReference,
  more = {},
) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const clock = { now: () => 0, monotonic: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  const answer: typeof fetch = async (url, init) => {
    const body: unknown = JSON.parse(String(init?.body));
    sent.push({ url: String(url), target: new Headers(init?.headers).get('x-amz-target'), body });
    const next = answers[sent.length - 1];
    if (next === undefined) throw new TypeError('fetch failed');
    return new Response(typeof next[1] === 'string' ? next[1] : JSON.stringify(next[1]), { status: next[0] });
  };
  const read = awsSecrets({ environment: { ...environment, ...more }, clock, fetch: answer });
  const outcome = await read(reference).catch((error: unknown) => error);
  return { outcome, sent, pauses };
}

describe('reading a secret', () => {
  const CHINA = 'arn:aws-cn:secretsmanager:cn-north-1:123456789012:secret:api-AbC123';

  test.each<[string, SecretReference, object, string, Sent]>([
    [
      'of a secret',
      { secret: 'api' },
      { SecretString: 'hunter2' },
      'hunter2',
      {
        url: 'https://secretsmanager.eu-west-1.amazonaws.com/',
        target: 'secretsmanager.GetSecretValue',
        body: { SecretId: 'api' },
      },
    ],
    [
      'of a field of a secret elsewhere',
      { secret: CHINA, key: 'port' },
      { SecretString: '{"port":5432}' },
      '5432',
      {
        url: 'https://secretsmanager.cn-north-1.amazonaws.com.cn/',
        target: 'secretsmanager.GetSecretValue',
        body: { SecretId: CHINA },
      },
    ],
    [
      'of a parameter',
      { parameter: '/sites/token' },
      { Parameter: { Value: 'abc' } },
      'abc',
      {
        url: 'https://ssm.eu-west-1.amazonaws.com/',
        target: 'AmazonSSM.GetParameter',
        body: { Name: '/sites/token', WithDecryption: true },
      },
    ],
  ])('reads the value %s', async (_, reference, answer, value, request) => {
    const { outcome, sent } = await readBy([[200, answer]], reference);
    expect(outcome).toBe(value);
    expect(sent).toEqual([request]);
  });

  test('uses the endpoint from the environment', async () => {
    const more = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1/', AWS_ENDPOINT_URL_SSM: 'http://127.0.0.1:2/' };
    const secret = await readBy([[200, { SecretString: 'a' }]], { secret: 'a' }, more);
    const parameter = await readBy([[200, { Parameter: { Value: 'a' } }]], { parameter: 'a' }, more);
    expect([secret, parameter].map(({ sent }) => sent[0]?.url)).toEqual(['http://127.0.0.1:1/', 'http://127.0.0.1:2/']);
  });
});

describe('a failed read', () => {
  const denied = { __type: 'AccessDeniedException', Message: 'the role may not\nread it' };
  const busy = { __type: 'ThrottlingException', message: 'later' };

  test.each<[string, readonly (readonly [number, unknown] | undefined)[], string, number]>([
    ['a refusal after one attempt', [[400, denied]], 'AccessDeniedException: the role may not read it', 1],
    [
      'throttling after three attempts',
      [
        [400, busy],
        [400, busy],
        [400, busy],
      ],
      'ThrottlingException: later',
      3,
    ],
    [
      'a missing answer after three attempts',
      [undefined, undefined, undefined],
      'ssm of eu-west-1 does not answer: fetch failed',
      3,
    ],
    [
      'a service error after three attempts',
      [
        [500, ''],
        [503, 'x'],
        [500, ''],
      ],
      'status 500',
      3,
    ],
    ['an answer without a value', [[200, 'hunter2']], 'it holds no text', 1],
  ])('reports %s', async (_, answers, message, attempts) => {
    const { outcome, sent } = await readBy(answers, { parameter: 'a' });
    expect(outcome).toEqual(new Error(message));
    expect(sent).toHaveLength(attempts);
  });

  test('is retried after pauses of 200 and 400 ms', async () => {
    const { outcome, pauses } = await readBy([undefined, [500, ''], [200, { Parameter: { Value: 'a' } }]], {
      parameter: 'a',
    });
    expect(outcome).toBe('a');
    expect(pauses).toEqual([200, 400]);
  });

  test.each(['hunter2', '{"other":"hunter2"}', '{"key":{"a":"hunter2"}}', '["hunter2"]'])(
    'does not show the value of a field: %s',
    async (SecretString) => {
      const { outcome } = await readBy([[200, { SecretString }]], { secret: 'a', key: 'key' });
      expect(outcome).toEqual(new Error('it is no JSON object with a text as key'));
      expect(outcome).not.toHaveProperty('cause');
    },
  );
});

test.each([
  [undefined, '1c93a712f849e4abdb5d4a46781970a4e0b97800108baba96959cffbc88d0d5b'],
  ['session', '33178ad5d3b8ff2ab31c4b148372d3e66c74d690ba990d0dcf158e87c4b9c94f'],
])('signs a call as the SDK does with the session token %s', (sessionToken, signature) => {
  const call = {
    service: 'ssm',
    region: 'us-east-1',
    host: 'ssm.us-east-1.amazonaws.com',
    target: 'AmazonSSM.GetParameter',
    body: '{"Name":"/sites/token","WithDecryption":true}',
  };
  const key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
  const credentials = sessionToken === undefined ? key : { ...key, sessionToken };
  expect(signedHeaders(jsonCall(call), credentials, 1_700_000_000_000)['authorization']).toContain(
    `Signature=${signature}`,
  );
});
