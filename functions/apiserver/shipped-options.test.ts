import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { signedJwt, signingKey } from '#lib/server/authentication/key.ts';
import { aKey } from '#lib/server/authentication/testing/world.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { newAuthority } from '#local/certs.ts';
import { type IdentityProvider, identityProvider } from '#test/clients/e2e/identity-provider.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { awsToken, STS_NAMES, startSts } from '#test/support/lambda/sts.ts';
import { serverOptionsFile } from '../../infra/constructs/server-options.ts';
import { parseContext } from '../../infra/context.ts';
import { aStack } from '../../infra/synthesized.ts';
import { configOf } from './config.ts';
import { eventServer } from './event-door.ts';
import { openPlatform } from './platform.ts';

const KEY = aKey('rsa');
const ADMIN = 'arn:aws:iam::123456789012:role/Admin';
const folder = mkdtempSync(join(tmpdir(), 'davit-deployed-'));
const trusted = getCACertificates('default');
const lines: string[] = [];
let provider: IdentityProvider;
let sts: Awaited<ReturnType<typeof startSts>>;
let handle: ReturnType<ReturnType<typeof eventServer>>['handle'];

/** Writes a file for the deployer. Returns its path. */
function file(name: string, content: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

beforeAll(async () => {
  const authority = await newAuthority(new Date());
  provider = await identityProvider(await authority.issue({ name: 'provider' }, ['127.0.0.1']), KEY);
  sts = await startSts(await authority.issue({ name: 'sts' }, STS_NAMES));
  sts.isOf('arn:aws:iam::123456789012:role/Dev');
  setDefaultCACertificates([...trusted, authority.certificate]);
  const kind = 'AuthenticationConfiguration';
  const context = {
    admin: ADMIN,
    bundle: false,
    clusterId: 'prod',
    authenticationConfig: file('oidc.yaml', {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind,
      jwt: [
        {
          issuer: { url: provider.url, audiences: ['kube'], certificateAuthority: authority.certificate },
          claimMappings: { username: { expression: "'oidc:' + claims.sub" } },
        },
      ],
    }),
    awsIdentityMap: file('aws.yaml', {
      clusterID: 'prod',
      mapRoles: [
        { rolearn: 'arn:aws:iam::123456789012:role/Dev', username: 'dev:{{SessionName}}', groups: ['devs'] },
        { rolearn: ADMIN, username: 'nobody' },
      ],
    }),
    auditPolicyFile: file('audit.yaml', {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      rules: [{ level: 'Metadata' }],
    }),
    disableAdmissionPlugins: 'ServiceAccount',
  };
  const shipped = serverOptionsFile(aStack(), parseContext(context)).text() ?? '';
  rmSync(folder, { recursive: true }); // the function has only the files that were shipped
  const at = mkdtempSync(join(tmpdir(), 'davit-bundle-'));
  writeFileSync(join(at, 'apiserver.json'), shipped);
  const config = configOf({
    DAVIT_TABLE: 'davit',
    DAVIT_CLUSTER_ID: 'prod',
    DAVIT_ADMIN: ADMIN,
    LAMBDA_TASK_ROOT: at,
    AWS_ENDPOINT_URL_STS: sts.url,
  });
  const given = {
    table: new MemoryTable(),
    audit: { write: (line: string) => void lines.push(line), close: () => {} },
  };
  const open = async (read: typeof config, address: string) =>
    (await openPlatform(read, address, new Map(), given)).server;
  ({ handle } = eventServer(config, open)('davit.example.com'));
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await sts.close();
  setDefaultCACertificates(trusted);
});

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

async function ask(token: string, path: string, body: object): Promise<{ status: number; body: JsonObject }> {
  const request: ApiRequest = {
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: async () => Buffer.from(JSON.stringify(body)),
    signal: () => new AbortController().signal,
  };
  const answer = await handle(request);
  const { value } = decodeJson(Buffer.from(answer.body instanceof Uint8Array ? answer.body : String(answer.body)));
  return { status: answer.status, body: isObject(value) ? value : {} };
}

/** A token signed with an access key other than the administrator's. */
function devToken(accessKey = 'AKIADEV'): string {
  const [prefix = '', url = ''] = awsToken(new Date()).split(/(?<=^k8s-aws-v1\.)/);
  return (
    prefix + Buffer.from(String(Buffer.from(url, 'base64url')).replace('AKIAEXAMPLE', accessKey)).toString('base64url')
  );
}

const userOf = async (token: string) => objectAt(objectAt((await ask(token, WHO, REVIEW)).body, 'status'), 'userInfo');

test('authenticates an OIDC token with the shipped AuthenticationConfiguration', async () => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const token = signedJwt(signingKey(KEY), JSON.stringify({ iss: provider.url, sub: 'amy', aud: 'kube', exp }));
  expect(await userOf(token)).toMatchObject({ username: 'oidc:amy' });
});

test('authenticates a second identity with the AWS identity map, with its template filled in', async () => {
  expect(await userOf(devToken())).toMatchObject({
    username: 'dev:function',
    groups: ['devs', 'system:authenticated'],
  });
});

test('authenticates an identity of the ConfigMap aws-auth, which only its writers may change', async () => {
  const configMaps = '/api/v1/namespaces/kube-system/configmaps';
  const mapRoles = JSON.stringify([
    { rolearn: 'arn:aws:iam::123456789012:role/Ops', username: 'ops', groups: ['ops'] },
  ]);
  const configMap = { metadata: { name: 'aws-auth' }, data: { mapRoles } };
  expect((await ask(devToken(), configMaps, configMap)).status).toBe(403);
  sts.isOf('arn:aws:iam::123456789012:role/Ops');
  expect((await ask(devToken('AKIAOPS'), WHO, REVIEW)).status).toBe(401);
  expect((await ask(awsToken(new Date()), configMaps, configMap)).status).toBe(201);
  expect(await userOf(devToken('AKIAOPS2'))).toMatchObject({
    username: 'ops',
    groups: ['ops', 'system:authenticated'],
  });
});

test('keeps the administrator of the context, whatever the map contains', async () => {
  const { groups } = (await userOf(awsToken(new Date()))) ?? {};
  expect(groups).toContain('system:masters');
});

test('logs every request to the log group according to the audit policy', async () => {
  lines.length = 0;
  await ask(devToken(), WHO, REVIEW);
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ kind: 'Event', stage: 'ResponseComplete', requestURI: WHO, verb: 'create' }),
  );
});
