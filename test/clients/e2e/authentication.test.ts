import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import { type KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { parseIdentityMap } from '#lib/server/authentication/aws/identity-map-file.ts';
import { parseConfiguration } from '#lib/server/authentication/configuration.ts';
import { signedJwt, signingKey } from '#lib/server/authentication/key.ts';
import { validateConfiguration } from '#lib/server/authentication/oidc/validate.ts';
import { aKey } from '#lib/server/authentication/testing/world.ts';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { awsToken } from '#test/support/aws-token.ts';
import { pathOf, programOnPath } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { freePort } from '#test/support/free-port.ts';
import { requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';
import { type IdentityProvider, identityProvider } from './identity-provider.ts';
import { RunningProgram, runProgram } from './program.ts';

const KEY = aKey('rsa');
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const BOOTSTRAP = 'abcdef.0123456789abcdef';

const kubectl = await newestKubectl();
const curlProgram = await programOnPath('curl', '--version');
const nginxProgram = await programOnPath('nginx', '-v');

let folder: string;
let authority: Authority;
let provider: IdentityProvider;
let server: RunningApiserver;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'davit-authentication-'));
  authority = await newAuthority(new Date());
  provider = await identityProvider(await authority.issue({ name: 'provider' }, ['127.0.0.1', STS]), KEY);
  server = await startApiserver({
    tokens: new Map([['static', { name: 'static', groups: [] }]]),
    proxyCa: authority.certificate,
    authentication: authenticationOf(authority.certificate),
  });
  writeFileSync(join(folder, 'ca.crt'), server.certificateAuthority);
  const admin = requester(server);
  await admin('POST', ACCOUNTS, { metadata: { name: 'sa' } });
  const data = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };
  const metadata = { name: 'bootstrap-token-abcdef' };
  const secret = { metadata, type: 'bootstrap.kubernetes.io/token', stringData: data };
  await admin('POST', '/api/v1/namespaces/kube-system/secrets', secret);
});
afterAll(async () => {
  await server.close();
  await provider[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const STS = 'sts.eu-west-1.amazonaws.com';

function authenticationOf(ca: string) {
  const jwt = {
    issuer: { url: provider.url, audiences: ['kube'], certificateAuthority: ca },
    claimMappings: { username: { expression: "'oidc:' + claims.sub" }, groups: { claim: 'groups', prefix: 'oidc:' } },
  };
  const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' };
  const { issuers } = validateConfiguration(parseConfiguration(JSON.stringify({ ...kind, jwt: [jwt] })), []);
  const map = parseIdentityMap(
    'clusterID: prod\nmapRoles: [{rolearn: arn:aws:iam::123456789012:role/Admin, username: "aws:{{SessionName}}"}]',
  );
  return {
    issuers,
    aws: { map, endpoint: { host: '127.0.0.1', port: provider.port, caBundle: ca } },
    webhook: { config: { url: `${provider.url}/review`, caBundle: ca } },
    requestHeaders: {
      allowedNames: ['front'],
      usernameHeaders: ['X-Remote-User'],
      uidHeaders: ['X-Remote-Uid'],
      groupHeaders: ['X-Remote-Group'],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
    },
  };
}

async function accountToken(): Promise<string> {
  const { body } = await requester(server)('POST', `${ACCOUNTS}/sa/token`, { spec: {} });
  return stringAt(objectAt(body, 'status'), 'token') ?? '';
}

function idToken(more: JsonObject = {}): string {
  const exp = Math.floor(Date.now() / 1000) + 600;
  return signedJwt(
    signingKey(KEY),
    JSON.stringify({ iss: provider.url, sub: 'amy', aud: 'kube', groups: ['dev'], exp, ...more }),
  );
}

/** Tokens by authenticator, each with the user that it identifies. */
const TOKENS: readonly (readonly [string, () => string | Promise<string>, string])[] = [
  ['a static token', () => 'static', 'static'],
  ["a service account's token", accountToken, 'system:serviceaccount:default:sa'],
  ['a bootstrap token', () => BOOTSTRAP, 'system:bootstrap:abcdef'],
  ['an ID token', () => idToken(), 'oidc:amy'],
  ['a token of aws eks get-token', () => awsToken(new Date(), { host: STS, region: 'eu-west-1' }), 'aws:amy'],
  ['a token that a webhook knows', () => 'hooked', 'hook'],
  ['an unknown token, which has none', () => 'guessed', ''],
  ['an ID token for another audience, which has none', () => idToken({ aud: 'other' }), ''],
];

async function whoKubectlIs(...args: string[]): Promise<string> {
  const to = ['--server', server.url, '--certificate-authority', join(folder, 'ca.crt')];
  const named = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'];
  const { stdout, stderr, code } = await runProgram(pathOf(kubectl), [...named, ...to, ...args], {
    env: { KUBECONFIG: '/dev/null', HOME: folder },
  });
  return code === 0 ? stdout : /Unauthorized|must be logged in/.test(stderr) ? '' : stderr;
}

async function curl(...args: string[]): Promise<string> {
  const { stdout } = await runProgram('curl', ['-sS', '--max-time', '20', ...args]);
  return stdout;
}

async function whoCurlIs(url: string, ...args: string[]): Promise<string> {
  const json = ['-H', 'content-type: application/json', '-d', '{}'];
  const answer = JSON.parse(await curl(...json, ...args, `${url}${WHO}`)) as JsonObject;
  if (answer['code'] === 401) return '';
  if (answer['code'] === 403) return /User "([^"]+)"/.exec(String(answer['message']))?.[1] ?? '';
  return stringAt(objectAt(objectAt(answer, 'status'), 'userInfo'), 'username') ?? '';
}

describe('the user of kubectl', needing(kubectl), () => {
  test.each(TOKENS)('is that of %s', async (_, token, name) => {
    expect(await whoKubectlIs('--token', await token())).toBe(name);
  });

  test('is the impersonated one', async () => {
    expect(await whoKubectlIs('--token', server.adminToken, '--as', 'amy', '--as-group', 'dev')).toBe('amy');
  });

  test('is that of a certificate that the API issued', async () => {
    const client = await authority.issue({ name: 'nobody' });
    const path = write('stranger', client);
    expect(await whoKubectlIs('--client-certificate', `${path}.crt`, '--client-key', `${path}.key`)).toBe('');
    writeFileSync(join(folder, 'config'), server.kubeconfig);
    const named = [
      'auth',
      'whoami',
      '-o',
      'jsonpath={.status.userInfo.username}',
      '--kubeconfig',
      join(folder, 'config'),
    ];
    expect((await runProgram(pathOf(kubectl), named)).stdout).toBe('admin');
  });
});

function write(name: string, { certificate, key }: KeyPair): string {
  const path = join(folder, name);
  writeFileSync(`${path}.crt`, certificate);
  writeFileSync(`${path}.key`, key);
  return path;
}

describe('the user of curl', needing(curlProgram), () => {
  const trusted = (): string[] => ['--cacert', join(folder, 'ca.crt')];
  test.each(TOKENS)('is that of %s', async (_, token, name) => {
    expect(await whoCurlIs(server.url, ...trusted(), '-H', `Authorization: Bearer ${await token()}`)).toBe(name);
  });

  test('is anonymous without credentials', async () => {
    expect(await whoCurlIs(server.url, ...trusted())).toBe('system:anonymous');
  });

  test("is the one in a proxy's headers", async () => {
    const path = write('front', await authority.issue({ name: 'front' }));
    const proof = ['--cert', `${path}.crt`, '--key', `${path}.key`];
    expect(await whoCurlIs(server.url, ...trusted(), ...proof, '-H', 'X-Remote-User: carol')).toBe('carol');
    expect(await whoCurlIs(server.url, ...trusted(), '-H', 'X-Remote-User: carol')).toBe('system:anonymous');
  });

  test('is the impersonated one', async () => {
    const headers = ['-H', `Authorization: Bearer ${server.adminToken}`, '-H', 'Impersonate-User: amy'];
    expect(await whoCurlIs(server.url, ...trusted(), ...headers)).toBe('amy');
  });
});

describe('nginx as an authenticating proxy', needing(nginxProgram, curlProgram), () => {
  test('authenticates a user by password, and drops user headers of the client', async () => {
    const port = await freePort();
    const front = write('nginx-front', await authority.issue({ name: 'front' }));
    const own = write('nginx-own', await authority.issue({ name: 'nginx' }, ['127.0.0.1']));
    writeFileSync(join(folder, 'passwords'), 'carol:{PLAIN}pw\n');
    writeFileSync(join(folder, 'nginx-ca.crt'), authority.certificate);
    writeFileSync(join(folder, 'nginx.conf'), nginxConf({ port, front, own }));
    await using nginx = new RunningProgram('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']);
    const url = `https://127.0.0.1:${port}`;
    const trusted = [
      '--cacert',
      join(folder, 'nginx-ca.crt'),
      '--retry',
      '20',
      '--retry-connrefused',
      '--retry-delay',
      '1',
    ];
    const spoofed = [
      '-H',
      'X-Remote-User: admin',
      '-H',
      'X-Remote-Group: system:masters',
      '-H',
      'Impersonate-User: admin',
    ];
    expect(await whoCurlIs(url, ...trusted, '-u', 'carol:pw'), nginx.stderr).toBe('carol');
    expect(await whoCurlIs(url, ...trusted, '-u', 'carol:pw', ...spoofed.slice(0, 4))).toBe('carol');
    const refused = await curl(...trusted, '-u', 'carol:pw', ...spoofed, `${url}/api/v1/secrets`);
    expect(refused).toContain('User \\"carol\\" cannot impersonate');
    expect(await curl(...trusted, '-o', '/dev/null', '-w', '%{http_code}', `${url}/version`)).toBe('401');
  });
});

const nginxConf = ({ port, front, own }: { port: number; front: string; own: string }): string => `daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${own}.crt;
    ssl_certificate_key ${own}.key;
    auth_basic davit;
    auth_basic_user_file passwords;
    location / {
      proxy_pass ${server.url};
      proxy_ssl_certificate ${front}.crt;
      proxy_ssl_certificate_key ${front}.key;
      proxy_ssl_trusted_certificate ca.crt;
      proxy_set_header Authorization "";
      proxy_set_header X-Remote-User $remote_user;
      proxy_set_header X-Remote-Group "";
    }
  }
}
`;
