import { afterAll, describe, expect, test } from 'vitest';
import { awsSecrets } from '#adapters/aws/secrets/aws-secrets.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { jsonCall, signedHeaders } from '#lib/server/authentication/aws/signed-headers.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { needing } from '#test/support/skip.ts';

const ministack = await startMinistack();

describe('secrets of an account', needing(ministack), () => {
  const endpoint = 'endpoint' in ministack ? ministack.endpoint : '';
  afterAll(async () => {
    if ('stop' in ministack) await ministack.stop();
  });

  async function call(service: string, target: string, input: object): Promise<void> {
    const body = JSON.stringify(input);
    const { host } = new URL(endpoint);
    const { host: _, ...headers } = signedHeaders(
      jsonCall({ service, region, host, target, body }),
      credentials,
      clock.now(),
    );
    const response = await fetch(endpoint, { method: 'POST', headers, body });
    expect(await response.text()).not.toContain('__type');
  }
  const read = awsSecrets({
    environment: {
      AWS_REGION: region,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    clock,
    fetch,
  });

  test('are read by name: a secret, a field of one, and an encrypted parameter', async () => {
    await call('secretsmanager', 'secretsmanager.CreateSecret', {
      Name: 'sites/api',
      SecretString: '{"apiKey":"abc"}',
    });
    await call('ssm', 'AmazonSSM.PutParameter', { Name: '/sites/token', Value: 'def', Type: 'SecureString' });
    expect(await read({ secret: 'sites/api' })).toBe('{"apiKey":"abc"}');
    expect(await read({ secret: 'sites/api', key: 'apiKey' })).toBe('abc');
    expect(await read({ parameter: '/sites/token' })).toBe('def');
  });

  test('that do not exist fail with the reason of the service', async () => {
    await expect(read({ secret: 'none' })).rejects.toThrow(/^ResourceNotFoundException: /);
    await expect(read({ parameter: '/none' })).rejects.toThrow(/^ParameterNotFound: /);
  });
});
