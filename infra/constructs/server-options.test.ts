import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseShipped } from '#lib/server/options/deployed-flags.ts';
import { parseContext } from '../context.ts';
import { aStack } from '../synthesized.ts';
import { serverOptionsFile } from './server-options.ts';

const admin = 'arn:aws:iam::123456789012:role/Admin';
const folder = mkdtempSync(join(tmpdir(), 'davit-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const stack = aStack();
const shippedBy = (context: object): string | undefined =>
  serverOptionsFile(stack, parseContext({ admin, bundle: false, ...context })).text();

const CONFIG = 'apiVersion: apiserver.config.k8s.io/v1';
const HOOK = 'clusters: [{name: c, cluster: {server: "https://hook.example", certificate-authority: ca.pem}}]';

test('a deployment without such values ships no file', () => {
  expect(shippedBy({})).toBeUndefined();
});

test('ships every file that is read, including those that other files name', () => {
  file('ca.pem', 'CA');
  file('token', 'secret');
  const hook = file('hook', `${HOOK}\nusers: [{name: u, user: {tokenFile: token}}]`);
  const webhook = `{timeout: 3s, subjectAccessReviewVersion: v1, failurePolicy: Deny, authorizedTTL: 1m, unauthorizedTTL: 1s, connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${hook}}, matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression: "request.user != 'amy'"}]}`;
  const config = file(
    'authorization',
    `{${CONFIG}, kind: AuthorizationConfiguration, authorizers: [{type: Webhook, name: x, webhook: ${webhook}}]}`,
  );
  const { flags, files } = parseShipped(shippedBy({ authorizationConfig: relative(process.cwd(), config) }) ?? '');
  const others = ['ca.pem', 'hook', 'token'].map((name) => join(folder, name)); // upstream requires an absolute path here
  expect(Object.keys(files)).toEqual([relative(process.cwd(), config), ...others]);
  expect(Object.keys(flags)).toEqual(['authorizationConfig']);
});

test('accepts values as command-line text, or as JSON of their types', () => {
  const said = { disableAdmissionPlugins: 'LimitRanger,ResourceQuota', legacyPsp: 'true' };
  const meant = { disableAdmissionPlugins: ['LimitRanger', 'ResourceQuota'], legacyPsp: true };
  expect(shippedBy(said)).toBe(shippedBy(meant));
});

test.each<[string, () => object, string]>([
  ['a file that is not there', () => ({ auditPolicyFile: 'none.yaml' }), 'context auditPolicyFile: none.yaml: ENOENT'],
  [
    'a wrong issuer',
    () => ({
      authenticationConfig: file(
        'jwt',
        `{${CONFIG}, kind: AuthenticationConfiguration, jwt: [{issuer: {url: "http://x"}}]}`,
      ),
    }),
    'context authenticationConfig: ',
  ],
  [
    'a wrong expression',
    () => ({
      authorizationConfig: file(
        'cel',
        `{${CONFIG}, kind: AuthorizationConfiguration, authorizers: [{type: Webhook, name: x, webhook: {timeout: 3s, subjectAccessReviewVersion: v1, failurePolicy: Deny, authorizedTTL: 1m, unauthorizedTTL: 1s, connectionInfo: {type: InClusterConfig}, matchConditions: [{expression: "1 +"}]}}]}`,
      ),
    }),
    'context authorizationConfig: ',
  ],
  ['an unknown plugin', () => ({ enableAdmissionPlugins: 'Nope' }), 'context enableAdmissionPlugins: '],
  ['an unknown feature gate', () => ({ featureGates: 'X=true' }), 'context featureGates: unrecognized feature gate: X'],
  ['an unknown authorizer', () => ({ authorizationMode: 'X' }), 'context authorizationMode: '],
  [
    'another cluster',
    () => ({ awsIdentityMap: file('aws', 'clusterID: other') }),
    'context awsIdentityMap: its clusterID is other, and clusterId is davit',
  ],
  ['a sink without a policy', () => ({ auditLogPath: '-' }), 'context auditLogPath needs auditPolicyFile'],
  [
    'an issuer without a client',
    () => ({ oidcIssuerUrl: 'https://x' }),
    'context oidcIssuerUrl: oidc-issuer-url and oidc-client-id',
  ],
  [
    'a limit where there is none',
    () => ({ maxRequestsInflight: '5' }),
    'context maxRequestsInflight has no effect with frontDoor=function-url',
  ],
])('%s fails the synthesis with one line that names the context', (_, context, message) => {
  const fault = (() => {
    try {
      return shippedBy(context());
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : '';
    }
  })();
  expect(fault).toContain(`ContextError: ${message}`);
  expect(fault).not.toContain('\n');
});

test('container and web-function accept limits on concurrent requests', () => {
  const { flags } = parseShipped(shippedBy({ frontDoor: 'container', maxRequestsInflight: '5' }) ?? '');
  expect(flags).toEqual({ maxRequestsInflight: 5 });
});
