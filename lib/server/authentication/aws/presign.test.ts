import { expect, test } from 'vitest';
import { START } from '../testing/world.ts';
import { awsToken } from './presign.ts';
import { PREFIX, readToken } from './presigned-url.ts';

const credentials = {
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'secret/with+signs',
  sessionToken: 'session=token/+',
};
const given = { credentials, region: 'eu-west-1', clusterId: 'prod', now: START };
const urlOf = (token: string): URL => new URL(Buffer.from(token.slice(PREFIX.length), 'base64url').toString());

test('signs like the AWS SDK', () => {
  const signed = urlOf(awsToken({ ...given, now: Date.UTC(2026, 0, 1) }).token).searchParams.get('X-Amz-Signature');
  expect(signed).toBe('709978d39d7a0d85c7e6019985ec567eed90382145a2807d379e19fe3d7b7d0b');
});

test.each([
  ['eu-west-1', 'aws', 'sts.eu-west-1.amazonaws.com'],
  ['cn-north-1', 'aws-cn', 'sts.cn-north-1.amazonaws.com.cn'],
  ['us-gov-west-1', 'aws-us-gov', 'sts.us-gov-west-1.amazonaws.com'],
] as const)('creates a token for %s that the server accepts', (region, partition, host) => {
  const { token, expires } = awsToken({ ...given, region });
  const read = readToken(token, partition, START);
  expect(read?.accessKeyId).toBe('AKIAEXAMPLE');
  expect(new URL(read?.url ?? '').hostname).toBe(host);
  expect(readToken(token, partition, expires)).toBeDefined();
});
