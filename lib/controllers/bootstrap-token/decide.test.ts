import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { detachedSignature, lifeOf, signedData, TYPE } from './decide.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const encode = (data: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));

const aToken = (data: Readonly<Record<string, string>> = {}, name = 'bootstrap-token-abcdef'): JsonObject => ({
  type: TYPE,
  metadata: { name },
  data: encode({
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-signing': 'true',
    ...data,
  }),
});
const info = (data: JsonObject = { kubeconfig: 'content' }): JsonObject => ({ data });
const SIGNATURE = detachedSignature('content', { id: 'abcdef', secret: '0123456789abcdef' });

test('a signature is a compact JWS by HMAC without its content', () => {
  const [header = '', content, signature] = SIGNATURE.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', kid: 'abcdef' });
  expect(content).toBe('');
  const signed = `${header}.${Buffer.from('content').toString('base64url')}`;
  expect(signature).toBe(createHmac('sha256', '0123456789abcdef').update(signed).digest('base64url'));
});

describe('the config map', () => {
  const signed = { kubeconfig: 'content', 'jws-kubeconfig-abcdef': SIGNATURE };
  test.each<[string, JsonObject, JsonObject[], JsonObject | undefined]>([
    ['is signed by who may', info(), [aToken()], signed],
    ['that is signed stays', info(signed), [aToken()], undefined],
    ['that says something else is signed again', info({ ...signed, kubeconfig: 'other' }), [], { kubeconfig: 'other' }],
    ['is not signed any more by who is gone', info(signed), [], { kubeconfig: 'content' }],
    ['without a kubeconfig stays', info({ 'jws-kubeconfig-x': 'y' }), [aToken()], undefined],
    ['is not signed by who may not', info(), [aToken({ 'usage-bootstrap-signing': 'false' })], undefined],
    ['is not signed by who is over', info(), [aToken({ expiration: '2025-01-01T00:00:00Z' })], undefined],
    ['is not signed by who has no secret', info(), [aToken({ 'token-secret': '' })], undefined],
    ['is not signed by who is named otherwise', info(), [aToken({}, 'bootstrap-token-fedcba')], undefined],
  ])('%s', (_name, configMap, tokens, data) => {
    expect(signedData(configMap, tokens, NOW)).toEqual(data);
  });
});

test.each<[string, string, number]>([
  ['never ends', '', Infinity],
  ['ends in an hour', '2026-01-01T01:00:00Z', 3_600_000],
  ['is over', '2026-01-01T00:00:00Z', 0],
  ['says nothing sensible, and is over', 'tomorrow', 0],
])('a token that %s', (_name, expiration, life) => {
  expect(lifeOf(aToken({ expiration }), NOW)).toBe(life);
});
