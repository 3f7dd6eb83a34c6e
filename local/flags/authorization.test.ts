import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuthorizationFlags } from '#lib/server/options/authorization.ts';
import { authorizersOf } from './authorization.ts';

let folder = '';
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-flags-'));
  const webhook = `{timeout: 3s, subjectAccessReviewVersion: v1, failurePolicy: Deny, authorizedTTL: 1m, unauthorizedTTL: 1s, connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${file('hook')}}}`;
  await Promise.all([
    writeFile(file('hook'), 'clusters: [{name: c, cluster: {server: "https://example.com/hook"}}]'),
    writeFile(file('policies'), '{"user":"ann"}\n'),
    writeFile(
      file('config'),
      `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: [{type: Webhook, name: w, webhook: ${webhook}}, {type: RBAC, name: r}]`,
    ),
    writeFile(file('empty'), '{}'),
  ]);
});
afterAll(() => rm(folder, { recursive: true }));

const config = { url: 'https://example.com/hook', caBundle: '' };

test.each<[string, () => AuthorizationFlags, unknown]>([
  ['nothing', () => ({}), undefined],
  ['modes', () => ({ authorizationMode: 'RBAC,Node' }), [{ type: 'RBAC' }, { type: 'Node' }]],
  [
    'policies',
    () => ({ authorizationMode: 'ABAC', authorizationPolicyFile: file('policies') }),
    [{ type: 'ABAC', policies: [{ user: 'ann' }] }],
  ],
  [
    'a webhook',
    () => ({
      authorizationMode: 'Webhook',
      authorizationWebhookConfigFile: file('hook'),
      authorizationWebhookCacheAuthorizedTtl: '10s',
    }),
    [
      {
        type: 'Webhook',
        webhook: { config, authorizedTtl: 10_000, unauthorizedTtl: 30_000, failurePolicy: 'NoOpinion' },
      },
    ],
  ],
  [
    'a document',
    () => ({ authorizationConfig: file('config') }),
    [{ type: 'Webhook', webhook: { config, timeoutSeconds: 3, failurePolicy: 'Deny' } }, { type: 'RBAC' }],
  ],
])('reads the authorizers from %s', async (_, flags, authorizers) => {
  const read = await authorizersOf(flags());
  if (authorizers === undefined) expect(read).toBeUndefined();
  else expect(read).toMatchObject(authorizers as object);
});

test.each<[string, () => AuthorizationFlags]>([
  ['is not a valid mode', () => ({ authorizationMode: 'RBAC,X' })],
  ['--authorization-policy-file', () => ({ authorizationMode: 'ABAC' })],
  ['--authorization-webhook-config-file', () => ({ authorizationMode: 'Webhook' })],
  ['can not be specified when', () => ({ authorizationMode: 'RBAC', authorizationConfig: file('config') })],
  ['at least one authorization mode must be defined', () => ({ authorizationConfig: file('empty') })],
  ['there is no such place', () => ({ authorizationConfig: file('none') })],
  [
    'is no duration',
    () => ({
      authorizationMode: 'Webhook',
      authorizationWebhookConfigFile: file('hook'),
      authorizationWebhookCacheUnauthorizedTtl: 'x',
    }),
  ],
])('rejects flags with the message: %s', async (message, flags) => {
  await expect(authorizersOf(flags())).rejects.toThrow(message);
});
