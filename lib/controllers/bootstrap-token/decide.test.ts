import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { ConfigMap, Secret } from '#lib/api/types/core.v1.ts';
import { CONFIG_MAPS, SECRETS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { detachedSignature, lifeOf, signedData, TYPE } from './decide.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const encode = (data: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));

const aToken = (data: Readonly<Record<string, string>> = {}, name = 'bootstrap-token-abcdef'): Secret =>
  decodedAs(SECRETS, {
    type: TYPE,
    metadata: { name },
    data: encode({
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-signing': 'true',
      ...data,
    }),
  });
const info = (data: JsonObject = { kubeconfig: 'content' }): ConfigMap => decodedAs(CONFIG_MAPS, { data });
const SIGNATURE = detachedSignature('content', { id: 'abcdef', secret: '0123456789abcdef' });

test('signs with a compact HMAC JWS with detached content', () => {
  const [header = '', content, signature] = SIGNATURE.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', kid: 'abcdef' });
  expect(content).toBe('');
  const signed = `${header}.${Buffer.from('content').toString('base64url')}`;
  expect(signature).toBe(createHmac('sha256', '0123456789abcdef').update(signed).digest('base64url'));
});

describe('the cluster-info config map', () => {
  const signed = { kubeconfig: 'content', 'jws-kubeconfig-abcdef': SIGNATURE };
  test.each<[string, ConfigMap, Secret[], JsonObject | undefined]>([
    ['is signed by tokens that may sign', info(), [aToken()], signed],
    ['is unchanged if it is signed', info(signed), [aToken()], undefined],
    ['is signed again if its content changes', info({ ...signed, kubeconfig: 'other' }), [], { kubeconfig: 'other' }],
    ['loses the signature of a deleted token', info(signed), [], { kubeconfig: 'content' }],
    ['is unchanged without a kubeconfig', info({ 'jws-kubeconfig-x': 'y' }), [aToken()], undefined],
    ['is not signed by a token that may not sign', info(), [aToken({ 'usage-bootstrap-signing': 'false' })], undefined],
    ['is not signed by an expired token', info(), [aToken({ expiration: '2025-01-01T00:00:00Z' })], undefined],
    ['is not signed by a token without a secret', info(), [aToken({ 'token-secret': '' })], undefined],
    ['is not signed by a token under another name', info(), [aToken({}, 'bootstrap-token-fedcba')], undefined],
  ])('the cluster-info config map %s', (_name, configMap, tokens, data) => {
    expect(signedData(configMap, tokens, NOW)).toEqual(data);
  });
});

test.each<[string, string, number]>([
  ['never expires', '', Infinity],
  ['expires in an hour', '2026-01-01T01:00:00Z', 3_600_000],
  ['has expired', '2026-01-01T00:00:00Z', 0],
  ['has an invalid expiration', 'tomorrow', 0],
])('computes the remaining life of a token that %s', (_name, expiration, life) => {
  expect(lifeOf(aToken({ expiration }), NOW)).toBe(life);
});
