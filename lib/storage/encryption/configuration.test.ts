import { expect, test } from 'vitest';
import { encryptionOf } from './transformers.ts';

const none = (): never => {
  throw new TypeError('no adapter of KMS');
};
const read = (resources: string) =>
  encryptionOf(
    `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: ${resources}}`,
    none,
  );
const key = (secret: string): string =>
  `[{resources: [secrets], providers: [aesgcm: {keys: [{name: k, secret: ${secret}}]}]}]`;
const names = (...all: string[]): string => `[{resources: [${all.join(', ')}], providers: [identity: {}]}]`;
const kms = (more: string): string => `[{resources: [secrets], providers: [kms: {${more}}]}]`;

test.each([
  ['no resources', '[]', 'resources: Required value: at least one resources is required'],
  [
    'no providers',
    '[{resources: [secrets]}]',
    'resources[0].providers: Required value: at least one resources[0].providers is required',
  ],
  [
    'an empty provider',
    '[{resources: [secrets], providers: [{}]}]',
    'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity',
  ],
  [
    'two providers in one entry',
    '[{resources: [secrets], providers: [{identity: {}, aesgcm: {keys: []}}]}]',
    'more than one provider specified in a single element, should split into different list elements',
  ],
  [
    'no keys',
    '[{resources: [secrets], providers: [aescbc: {keys: []}]}]',
    'resources[0].providers[0].aescbc.keys: Required value: at least one keys is required',
  ],
  [
    'a short key',
    key('c2hvcnQ='),
    'resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 5, expected one of [16 24 32]',
  ],
  ['a secret that is not base64', key('"!"'), 'Invalid value: "REDACTED": secrets must be base64 encoded'],
  ['an empty secret', key('""'), 'secret: Required value: secret is a mandatory field for a key'],
  [
    'an unknown field',
    '[{resources: [secrets], providers: [aesgmc: {}]}]',
    'strict decoding error: unknown field "resources[0].providers[0].aesgmc"',
  ],
  [
    'capital letters in a resource',
    names('Secrets'),
    'resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters',
  ],
  [
    'a bare star',
    names("'*'"),
    "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources",
  ],
  ['the events of another group', names('events.events.k8s.io'), "Use 'events' instead in the config file"],
  [
    'a resource without an API',
    names('serviceipallocations'),
    'resources which do not have REST API/s cannot be encrypted',
  ],
  ['a resource in all groups', names("'secrets.*'"), 'encrypting the same resource across groups is not supported'],
  [
    'a repeated resource',
    names('secrets', 'secrets'),
    'resources[0].resources: Invalid value: ["secrets","secrets"]: the same resource cannot be specified multiple times',
  ],
  [
    'overlapping wildcards',
    names('secrets', "'*.'"),
    'in the same resource list is not allowed as they will be masked',
  ],
  [
    'a resource masked by a wildcard',
    `[{resources: ['*.*'], providers: [identity: {}]}, {resources: [secrets], providers: [identity: {}]}]`,
    'resource "secrets" is masked by earlier rule "*.*"',
  ],
  [
    'a KMS endpoint that is not a socket',
    kms('name: k, apiVersion: v2, endpoint: "https://example.com"'),
    'unsupported scheme "https" for KMS provider, only unix is supported',
  ],
  [
    'a KMS without a name',
    kms('apiVersion: v2, endpoint: "unix:///s"'),
    'kms.name: Required value: name is a mandatory field for a provider',
  ],
  [
    'a KMS timeout of zero',
    kms('name: k, apiVersion: v2, endpoint: "unix:///s", timeout: 0s'),
    'timeout should be a positive value',
  ],
  ['an unavailable KMS', kms('name: k, apiVersion: v2, endpoint: "unix:///s"'), 'no adapter of KMS'],
])('rejects a configuration with %s', (_, resources, message) => {
  expect(() => read(resources)).toThrow(message);
});

test('never shows a secret in a message', () => {
  expect(() => read(key('c2VjcmV0aXZl'))).not.toThrow('c2VjcmV0aXZl');
});
