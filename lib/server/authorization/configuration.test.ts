import { expect, test } from 'vitest';
import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { authorizersOf } from './configuration.ts';

const WEBHOOK: JsonObject = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  matchConditionSubjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  authorizedTTL: '5m',
  unauthorizedTTL: '30s',
  cacheUnauthorizedRequests: false,
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/etc/hook.yaml' },
  matchConditions: [{ expression: "request.user != 'x'" }],
};
const document = (...authorizers: JsonObject[]): JsonObject => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthorizationConfiguration',
  authorizers,
});
const webhook = (changes: JsonObject = {}): JsonObject => {
  const changed = { ...WEBHOOK };
  for (const [field, value] of Object.entries(changes)) setField(changed, field, value);
  return { type: 'Webhook', name: 'hook.example.com', webhook: changed };
};

test('returns the authorizers of a document in order', () => {
  expect(authorizersOf(document({ type: 'Node', name: 'node' }, webhook(), { type: 'RBAC', name: 'rbac' }))).toEqual([
    { type: 'Node' },
    {
      type: 'Webhook',
      name: 'hook.example.com',
      webhook: {
        timeoutSeconds: 3,
        authorizedTtl: 300_000,
        unauthorizedTtl: 0,
        failurePolicy: 'Deny',
        matchConditions: ["request.user != 'x'"],
        kubeConfigFile: '/etc/hook.yaml',
      },
    },
    { type: 'RBAC' },
  ]);
});

/** Upstream's TestValidateAuthorizationConfiguration. */
test.each<[JsonObject, string]>([
  [document(), 'authorizers: Required value: at least one authorization mode must be defined'],
  [{ ...document({ type: 'RBAC', name: 'r' }), kind: 'X' }, 'kind: Unsupported value: "X"'],
  [{ ...document({ type: 'RBAC', name: 'r' }), more: 1 }, 'more: Invalid value: "more": unknown field'],
  [document({ name: 'x' }), 'authorizers[0].type: Required value'],
  [document({ type: 'X', name: 'x' }), 'authorizers[0].type: Unsupported value: "X"'],
  [document({ type: 'RBAC' }), 'authorizers[0].name: Required value'],
  [document({ type: 'RBAC', name: '_' }), 'authorizers[0].name: Invalid value: "_": authorizer name is invalid'],
  [document({ type: 'RBAC', name: 'a' }, { type: 'RBAC', name: 'b' }), 'authorizers[1].type: Duplicate value: "RBAC"'],
  [document({ type: 'RBAC', name: 'a' }, { type: 'Node', name: 'a' }), 'authorizers[1].name: Duplicate value: "a"'],
  [document({ type: 'Webhook', name: 'a' }), 'authorizers[0].webhook: Required value: required when type=Webhook'],
  [
    document({ type: 'RBAC', name: 'a', webhook: {} }),
    'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
  ],
  [document(webhook({ timeout: '' })), 'authorizers[0].timeout: Required value'],
  [document(webhook({ timeout: '31s' })), 'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s'],
  [document(webhook({ authorizedTTL: '-1s' })), 'authorizers[0].authorizedTTL: Invalid value: "-1s": must be > 0s'],
  [
    document(webhook({ unauthorizedTTL: 'soon' })),
    'authorizers[0].unauthorizedTTL: Invalid value: "soon": must be > 0s',
  ],
  [
    document(webhook({ subjectAccessReviewVersion: 'v2' })),
    'authorizers[0].subjectAccessReviewVersion: Unsupported value: "v2"',
  ],
  [
    document(webhook({ matchConditionSubjectAccessReviewVersion: '' })),
    'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value',
  ],
  [document(webhook({ failurePolicy: 'Fail' })), 'authorizers[0].failurePolicy: Unsupported value: "Fail"'],
  [document(webhook({ connectionInfo: {} })), 'authorizers[0].connectionInfo.type: Required value'],
  [
    document(webhook({ connectionInfo: { type: 'InClusterConfig' } })),
    'authorizers[0].connectionInfo.type: Unsupported value: "InClusterConfig"',
  ],
  [document(webhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'x' } })), 'must be an absolute path'],
  [
    document(webhook({ matchConditions: [{ expression: '' }] })),
    'authorizers[0].matchConditions[0].expression: Required value',
  ],
  [
    document(webhook({ matchConditions: [{ expression: 'true' }, { expression: 'true' }] })),
    'authorizers[0].matchConditions[1].expression: Duplicate value: "true"',
  ],
  [document(webhook({ matchConditions: [{ expression: '1' }] })), 'must evaluate to bool'],
  [
    document(webhook({ matchConditions: Array.from({ length: 65 }, (_, i) => ({ expression: `${i} == 1` })) })),
    'authorizers[0].matchConditions: Too many: 65: must have at most 64 items',
  ],
  [document(webhook({ more: true })), 'authorizers[0].webhook.more: Invalid value: "more": unknown field'],
])('rejects the document %j', (given, message) => {
  expect(() => authorizersOf(given)).toThrow(message);
});
