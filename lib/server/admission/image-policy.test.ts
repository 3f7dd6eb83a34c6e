import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { readImagePolicy } from './image-policy.ts';

const BACKEND = { url: 'https://example.com/', caBundle: '' };
const USUAL = { backend: BACKEND, allowTtl: 300_000, denyTtl: 30_000, retryBackoff: 500, defaultAllow: false };

/** Cases of upstream's TestNewImagePolicyWebhook, and its defaults. */
test.each<[string, JsonObject, unknown]>([
  ['defaults for absent fields', {}, USUAL],
  [
    'all fields',
    { allowTTL: 1, denyTTL: 1800, retryBackoff: 300_000, defaultAllow: true },
    { ...USUAL, allowTtl: 1000, denyTtl: 1_800_000, retryBackoff: 300_000, defaultAllow: true },
  ],
  [
    'no caching and no pauses',
    { allowTTL: -1, denyTTL: -1, retryBackoff: -1 },
    { ...USUAL, allowTtl: 0, denyTtl: 0, retryBackoff: 0 },
  ],
])('reads a document: %s', (_, imagePolicy, expected) => {
  expect(readImagePolicy({ imagePolicy }, BACKEND)).toEqual({ value: expected, faults: [] });
});

test.each<[JsonObject, string]>([
  [{ allowTTL: 1801 }, 'imagePolicy.allowTTL: Invalid value: 1801: valid value is between 1s and 30m0s, got 30m1s'],
  [{ denyTTL: -2 }, 'imagePolicy.denyTTL: Invalid value: -2: valid value is between 1s and 30m0s, got -2s'],
  [
    { retryBackoff: 300_001 },
    'imagePolicy.retryBackoff: Invalid value: 300001: valid value is between 1ns and 5m0s, got 5m0.001s',
  ],
])('rejects the configuration %j', (imagePolicy, expected) => {
  expect(readImagePolicy({ imagePolicy }, BACKEND).faults.map(errorText)).toEqual([expected]);
});

test('requires a backend', () => {
  const { value, faults } = readImagePolicy({ imagePolicy: {} }, undefined);
  expect(value).toBeUndefined();
  expect(faults.map(errorText)).toEqual(['imagePolicy.kubeConfigFile: Required value']);
});
