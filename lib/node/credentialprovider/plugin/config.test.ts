import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { encodeYaml } from '#lib/machinery/yaml.ts';
import { type CredentialProvider, CredentialProviderConfigError, isConfigFile, mergeConfigFiles } from './config.ts';
import { checkProviders } from './validation.ts';

const V1 = 'credentialprovider.kubelet.k8s.io/v1';
const PROVIDER: JsonObject = {
  name: 'plugin',
  matchImages: ['registry.io/a'],
  defaultCacheDuration: '10m',
  apiVersion: V1,
};
const file = (document: object, path = '/etc/c.yaml') => ({
  path,
  bytes: Buffer.from(
    encodeYaml({ apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig', ...document }),
  ),
});
const read = (...providers: JsonObject[]): readonly CredentialProvider[] =>
  mergeConfigFiles([file({ providers })]).providers;
const TOKENS: JsonObject = { serviceAccountTokenAudience: 'r', cacheType: 'Token', requireServiceAccount: true };
const withTokens = (attributes: JsonObject): JsonObject => ({
  ...PROVIDER,
  tokenAttributes: { ...TOKENS, ...attributes },
});

test('parses a plugin with arguments, variables and token attributes', () => {
  const [plugin] = read({ ...withTokens({}), args: ['--v=5'], env: [{ name: 'FOO', value: 'BAR' }] });
  expect(plugin).toMatchObject({
    name: 'plugin',
    defaultCacheDuration: 600_000_000_000n,
    args: ['--v=5'],
    env: [{ name: 'FOO', value: 'BAR' }],
    tokenAttributes: { ...TOKENS, requiredServiceAccountAnnotationKeys: [] },
  });
});

test('merges files in order and hashes them in order', () => {
  const [a, b] = [file({ providers: [PROVIDER] }), file({ providers: [{ ...PROVIDER, name: 'other' }] })];
  expect(mergeConfigFiles([a, b]).providers.map(({ name }) => name)).toEqual(['plugin', 'other']);
  expect(mergeConfigFiles([a, b]).hash).not.toBe(mergeConfigFiles([b, a]).hash);
});

test.each([
  ['a.json', true],
  ['a.yaml', true],
  ['a.yml', true],
  ['a.conf', false],
  ['yaml', false],
])('reads %s in a folder: %s', (name, isRead) => {
  expect(isConfigFile(name)).toBe(isRead);
});

describe('a rejected file', () => {
  test.each<[why: string, document: object, message: string]>([
    ['of another kind', { kind: 'Other' }, 'no kind "Other" is registered for version "kubelet.config.k8s.io/v1"'],
    [
      'of another version',
      { apiVersion: 'a/v1' },
      'no kind "CredentialProviderConfig" is registered for version "a/v1"',
    ],
    [
      'with an unknown field',
      { providers: [{ ...PROVIDER, more: 1 }] },
      'strict decoding error: unknown field "providers[0].more"',
    ],
    [
      'with attributes of tokens before v1',
      { apiVersion: 'kubelet.config.k8s.io/v1beta1', providers: [withTokens({})] },
      'strict decoding error: unknown field "providers[0].tokenAttributes"',
    ],
    [
      'with a duration that is none',
      { providers: [{ ...PROVIDER, defaultCacheDuration: 'x' }] },
      'providers[0].defaultCacheDuration: time: invalid duration "x"',
    ],
  ])('is %s', (_, document, message) => {
    expect(() => mergeConfigFiles([file(document)])).toThrow(
      new CredentialProviderConfigError(`error decoding config "/etc/c.yaml": ${message}`),
    );
  });

  test('repeats the name of a plugin in another file', () => {
    expect(() => mergeConfigFiles([file({ providers: [PROVIDER] }), file({ providers: [PROVIDER] })])).toThrow(
      new CredentialProviderConfigError('duplicate provider name "plugin" found in configuration file(s)'),
    );
  });
});

describe('a rejected plugin', () => {
  const KEY =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const required = 'requiredServiceAccountAnnotationKeys';
  const optional = 'optionalServiceAccountAnnotationKeys';
  test.each<[why: string, providers: JsonObject[], message: string]>([
    ['none', [], 'providers: Required value: at least 1 item in plugins is required'],
    [
      'a path for a name',
      [{ ...PROVIDER, name: 'a/b' }],
      `providers.name: Invalid value: "a/b": provider name cannot contain '/'`,
    ],
    [
      'spaces in the name',
      [{ ...PROVIDER, name: 'a b' }],
      'providers.name: Invalid value: "a b": provider name cannot contain spaces',
    ],
    [
      'a folder for a name',
      [{ ...PROVIDER, name: '..' }],
      `providers.name: Invalid value: "..": provider name cannot be '..'`,
    ],
    ['no version', [{ ...PROVIDER, apiVersion: '' }], 'providers.apiVersion: Required value'],
    [
      'a version that is not known',
      [{ ...PROVIDER, apiVersion: `${V1}alpha0` }],
      `providers.apiVersion: Unsupported value: "${V1}alpha0": supported values: "${V1}", "${V1}alpha1", "${V1}beta1"`,
    ],
    [
      'no images',
      [{ ...PROVIDER, matchImages: [] }],
      'providers.matchImages: Required value: at least 1 item in matchImages is required',
    ],
    [
      'an image that is no URL',
      [{ ...PROVIDER, matchImages: ['%invalid%'] }],
      'providers.matchImages: Invalid value: "%invalid%": match image is invalid: parse "https://%invalid%": invalid URL escape "%in"',
    ],
    ['no duration', [{ ...PROVIDER, defaultCacheDuration: null }], 'providers.defaultCacheDuration: Required value'],
    [
      'a negative duration',
      [{ ...PROVIDER, defaultCacheDuration: '-1m' }],
      'providers.defaultCacheDuration: Invalid value: "-1m0s": must be greater than or equal to 0',
    ],
    [
      'tokens for an earlier version',
      [{ ...withTokens({}), apiVersion: `${V1}beta1` }],
      `providers.tokenAttributes: Forbidden: tokenAttributes is only supported for ${V1} API version`,
    ],
    [
      'empty attributes of tokens',
      [{ ...PROVIDER, tokenAttributes: {} }],
      '[providers.tokenAttributes.serviceAccountTokenAudience: Required value, providers.tokenAttributes.requireServiceAccount: Required value, providers.tokenAttributes.cacheType: Required value: cacheType is required to be set when tokenAttributes is specified. Supported values are: ServiceAccount, Token]',
    ],
    [
      'another type of cache',
      [withTokens({ cacheType: 'Pod' })],
      'providers.tokenAttributes.cacheType: Unsupported value: "Pod": supported values: "ServiceAccount", "Token"',
    ],
    [
      'annotations required of a service account that is not',
      [withTokens({ requireServiceAccount: false, [required]: ['a'] })],
      `providers.tokenAttributes.${required}: Forbidden: requireServiceAccount cannot be false when ${required} is set`,
    ],
    [
      'a key that is no name',
      [withTokens({ [optional]: ['a-'] })],
      `providers.tokenAttributes.${optional}: Invalid value: "a-": ${KEY}`,
    ],
    [
      'a key twice',
      [withTokens({ [required]: ['a/B', 'a/B'] })],
      `providers.tokenAttributes.${required}: Duplicate value: "a/B"`,
    ],
    [
      'a key that is required and optional',
      [withTokens({ [required]: ['a/b'], [optional]: ['a/b'] })],
      'providers.tokenAttributes: Invalid value: ["a/b"]: annotation keys cannot be both required and optional',
    ],
  ])('has an error: %s', (_, providers, message) => {
    expect(() => checkProviders(read(...providers))).toThrow(
      new CredentialProviderConfigError(`failed to validate credential provider config: ${message}`),
    );
  });

  test('repeats a name within one list', () => {
    const [plugin] = read(PROVIDER);
    expect(() => checkProviders(plugin === undefined ? [] : [plugin, plugin])).toThrow(
      'providers.name: Duplicate value: "plugin"',
    );
  });
});

test.each([[{}], [withTokens({})], [{ apiVersion: `${V1}alpha1` }], [{ matchImages: ['*.registry.*.io:5000/a'] }]])(
  '%j is valid',
  (change) => {
    expect(() => checkProviders(read({ ...PROVIDER, ...change }))).not.toThrow();
  },
);

test('hashes the length of a configuration in eight bytes, followed by its text', () => {
  const bytes = Buffer.from('{"kind":"CredentialProviderConfig","apiVersion":"kubelet.config.k8s.io/v1"}');
  expect(mergeConfigFiles([{ path: '', bytes }]).hash).toBe(
    `sha256:${createHash('sha256')
      .update(`\0\0\0\0\0\0\0${String.fromCharCode(bytes.length)}`)
      .update(bytes)
      .digest('hex')}`,
  );
});
