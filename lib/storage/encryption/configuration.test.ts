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
  ['nothing', '[]', 'resources: Required value: at least one resources is required'],
  [
    'no provider',
    '[{resources: [secrets]}]',
    'resources[0].providers: Required value: at least one resources[0].providers is required',
  ],
  [
    'an empty provider',
    '[{resources: [secrets], providers: [{}]}]',
    'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity',
  ],
  [
    'two in one',
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
  ['no base64', key('"!"'), 'Invalid value: "REDACTED": secrets must be base64 encoded'],
  ['no secret', key('""'), 'secret: Required value: secret is a mandatory field for a key'],
  [
    'an unknown field',
    '[{resources: [secrets], providers: [aesgmc: {}]}]',
    'strict decoding error: unknown field "resources[0].providers[0].aesgmc"',
  ],
  [
    'capitals',
    names('Secrets'),
    'resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters',
  ],
  ['a star', names("'*'"), "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources"],
  ['events', names('events.events.k8s.io'), "Use 'events' instead in the config file"],
  ['no API', names('serviceipallocations'), 'resources which do not have REST API/s cannot be encrypted'],
  ['all groups', names("'secrets.*'"), 'encrypting the same resource across groups is not supported'],
  [
    'twice',
    names('secrets', 'secrets'),
    'resources[0].resources: Invalid value: ["secrets","secrets"]: the same resource cannot be specified multiple times',
  ],
  ['an overlap', names('secrets', "'*.'"), 'in the same resource list is not allowed as they will be masked'],
  [
    'a mask',
    `[{resources: ['*.*'], providers: [identity: {}]}, {resources: [secrets], providers: [identity: {}]}]`,
    'resource "secrets" is masked by earlier rule "*.*"',
  ],
  [
    'a KMS of the network',
    kms('name: k, apiVersion: v2, endpoint: "https://example.com"'),
    'unsupported scheme "https" for KMS provider, only unix is supported',
  ],
  [
    'a KMS without a name',
    kms('apiVersion: v2, endpoint: "unix:///s"'),
    'kms.name: Required value: name is a mandatory field for a provider',
  ],
  [
    'a KMS without patience',
    kms('name: k, apiVersion: v2, endpoint: "unix:///s", timeout: 0s'),
    'timeout should be a positive value',
  ],
  ['a KMS', kms('name: k, apiVersion: v2, endpoint: "unix:///s"'), 'no adapter of KMS'],
])('refused: %s', (_, resources, message) => {
  expect(() => read(resources)).toThrow(message);
});

test('no message shows a secret', () => {
  expect(() => read(key('c2VjcmV0aXZl'))).not.toThrow('c2VjcmV0aXZl');
});
