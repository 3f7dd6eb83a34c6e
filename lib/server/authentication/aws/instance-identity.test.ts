import { describe, expect, test } from 'vitest';
import { aClock } from '../testing/world.ts';
import { instanceOf, instanceTokens } from './instance-identity.ts';
import { readToken } from './presigned-url.ts';

const ROLES = '/latest/meta-data/iam/security-credentials/';
const CREDENTIALS = { Code: 'Success', AccessKeyId: 'ASIAEXAMPLE', SecretAccessKey: 'secret', Token: 'session' };
const VALUES: Readonly<Record<string, string>> = {
  '/latest/meta-data/instance-id': 'i-0123456789abcdef0',
  '/latest/meta-data/placement/region': 'eu-west-1',
  [ROLES]: 'edge-nodes',
  [`${ROLES}edge-nodes`]: JSON.stringify(CREDENTIALS),
};

/** Metadata with different values at some paths. */
function metadataWith(more: Readonly<Record<string, string>> = {}) {
  const asked: string[] = [];
  const values = new Map(Object.entries({ ...VALUES, ...more }));
  const get = async (path: string): Promise<string> => {
    asked.push(path);
    return values.get(path) ?? '';
  };
  return { asked, metadata: { get } };
}

describe('the identity of an instance', () => {
  test('consists of its ID and its region', async () => {
    expect(await instanceOf(metadataWith().metadata)).toEqual({ id: 'i-0123456789abcdef0', region: 'eu-west-1' });
  });

  test.each([
    ['/latest/meta-data/instance-id', 'n1'],
    ['/latest/meta-data/instance-id', 'i-0123456789abcdef0/../x'],
    ['/latest/meta-data/placement/region', 'example.com#'],
    ['/latest/meta-data/placement/region', ''],
  ])('is rejected if %s is %j', async (path, value) => {
    await expect(instanceOf(metadataWith({ [path]: value }).metadata)).rejects.toThrow('the metadata of the instance');
  });
});

describe('tokens of an instance', () => {
  function tokensOf(more: Readonly<Record<string, string>> = {}) {
    const clock = aClock();
    const { asked, metadata } = metadataWith(more);
    return { asked, clock, token: instanceTokens({ metadata, clock, region: 'eu-west-1', clusterId: 'prod' }) };
  }

  test('are signed GetCallerIdentity requests for the cluster', async () => {
    const { clock, token } = tokensOf();
    const read = readToken(await token(), 'aws', clock.now());
    expect(read?.accessKeyId).toBe('ASIAEXAMPLE');
    expect(read?.url).toMatch(
      /^https:\/\/sts\.eu-west-1\.amazonaws\.com\/\?Action=GetCallerIdentity&.*X-Amz-Security-Token=session/,
    );
  });

  test('are renewed a minute before they expire, and after the server rejects one', async () => {
    const { asked, clock, token } = tokensOf();
    const first = await token();
    clock.advance(12 * 60_000);
    expect(await token()).toBe(first);
    expect(asked).toHaveLength(2);
    clock.advance(60_000);
    const second = await token();
    expect(second).not.toBe(first);
    clock.advance(1000);
    expect(await token(first)).toBe(second);
    expect(await token(second)).not.toBe(second);
  });

  test.each([
    ['without a role', { [ROLES]: '' }, 'the instance has no role'],
    ['whose role is a path', { [ROLES]: '../../user-data' }, 'the instance has no role'],
    [
      'without credentials',
      { [`${ROLES}edge-nodes`]: '{"Code":"Failed"}' },
      'have no credentials of the role edge-nodes',
    ],
    ['with a list as credentials', { [`${ROLES}edge-nodes`]: '[]' }, 'have no credentials of the role edge-nodes'],
  ])('are rejected for an instance %s', async (_, more, message) => {
    await expect(tokensOf(more).token()).rejects.toThrow(message);
  });
});
