import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { sdkService } from './sdk-service.ts';
import { serviceIn } from './service.ts';

const ENV = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
};

test("a function's environment tells all", async () => {
  const service = serviceIn(ENV, {});
  expect(service?.endpoint.href).toBe('https://dynamodb.eu-west-1.amazonaws.com/');
  expect(service?.region).toBe('eu-west-1');
  expect(await service?.credentials()).toEqual({
    accessKeyId: 'AKIAEXAMPLE',
    secretAccessKey: 'secret',
    sessionToken: 'token',
  });
});

test.each([
  ['us-gov-west-1', 'https://dynamodb.us-gov-west-1.amazonaws.com/'],
  ['cn-north-1', 'https://dynamodb.cn-north-1.amazonaws.com.cn/'],
  ['ap-southeast-3', 'https://dynamodb.ap-southeast-3.amazonaws.com/'],
])('the endpoint of %s is %s, as the SDK says', async (region, href) => {
  expect(serviceIn({ ...ENV, AWS_REGION: region }, {})?.endpoint.href).toBe(href);
  expect((await sdkService({ region })).endpoint.href).toBe(href);
});

test.each<[string, Partial<Record<string, string>>]>([
  ['no key', { AWS_ACCESS_KEY_ID: undefined }],
  ['no region', { AWS_REGION: undefined }],
  ['a profile', { AWS_PROFILE: 'prod' }],
  ['FIPS', { AWS_USE_FIPS_ENDPOINT: 'true' }],
  ['both stacks', { AWS_USE_DUALSTACK_ENDPOINT: 'true' }],
  ['a region whose domain is not known', { AWS_REGION: 'us-iso-east-1' }],
])('%s: the SDK is asked', (_, changed) => {
  expect(serviceIn({ ...ENV, ...changed }, {})).toBeUndefined();
});

test.each([
  [{ AWS_ENDPOINT_URL: 'http://all:1' }, {}, 'http://all:1/'],
  [{ AWS_ENDPOINT_URL: 'http://all:1', AWS_ENDPOINT_URL_DYNAMODB: 'http://one:2' }, {}, 'http://one:2/'],
  [{ AWS_ENDPOINT_URL_DYNAMODB: 'http://one:2' }, { endpoint: 'http://told:3' }, 'http://told:3/'],
])('%j and %j lead to %s', (env, connection, href) => {
  expect(serviceIn({ ...ENV, ...env }, connection)?.endpoint.href).toBe(href);
});

afterEach(() => vi.unstubAllEnvs());

test('what a profile says is found by the SDK', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'davit-profile-')), 'config');
  writeFileSync(
    file,
    '[profile prod]\nregion = eu-west-3\naws_access_key_id = A\naws_secret_access_key = B\nuse_fips_endpoint = true\n',
  );
  const cleared = Object.keys(process.env).filter((name) => name.startsWith('AWS_'));
  for (const name of cleared) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_CONFIG_FILE', file);
  vi.stubEnv('AWS_PROFILE', 'prod');
  const service = await sdkService({});
  expect(service.endpoint.href).toBe('https://dynamodb-fips.eu-west-3.amazonaws.com/');
  expect(await service.credentials()).toMatchObject({ accessKeyId: 'A', secretAccessKey: 'B' });
});
