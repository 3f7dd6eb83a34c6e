import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { parseIdentityMap } from '#lib/server/authentication/aws/identity-map-file.ts';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { eventually } from '#test/support/eventually.ts';
import { ADMIN, STS_NAMES, startSts } from '#test/support/lambda/sts.ts';
import { requester } from '#test/support/requester.ts';
import { runSmoke } from '#test/support/run-smoke.ts';
import { UNPROVEN } from '../../../scripts/smoke/unproven.ts';
import { smoke } from '../../../scripts/smoke.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-smoke-test-'));
const kubeconfig = join(folder, 'kubeconfig');
const kubectl = await newestKubectl();
const program = 'path' in kubectl ? kubectl.path : '/nowhere/kubectl';
let server: RunningApiserver;

/** The kubeconfig of a user with an unknown token. */
const strangers = (url: string, authority: string): string =>
  kubeconfigOf({ name: 'a', server: url, authority, user: { token: 'another' } });

beforeAll(async () => {
  server = await startApiserver();
  writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run smoke', () => {
  test('passes all checks on a local server, and cleans up', async () => {
    const lines: string[] = [];
    const code = await smoke(['--kubeconfig', kubeconfig, '--kubectl', program], (line) => lines.push(line));
    expect({ code, failed: lines.filter((line) => line.startsWith('FAILED')) }).toEqual({ code: 0, failed: [] });
    const skipped = lines.filter((line) => line.startsWith('skipped') && !line.includes('there is no /nowhere'));
    expect(skipped).toEqual([]);
    const expected = [
      'it refuses a client certificate of another authority (401',
      'a watch receives an event (ADDED',
      'a deployment gets its replica set and pods (2 pods',
    ];
    for (const said of [...expected, ...('path' in kubectl ? ['kubectl get pods -w (a change'] : [])])
      expect(lines).toContainEqual(expect.stringContaining(`ok       ${said}`));
    expect(lines.filter((line) => /^unproven|CloudFront|--bus/.test(line))).toEqual([]);
    const { body } = await requester(server)('GET', '/api/v1/namespaces');
    expect(JSON.stringify(body)).not.toContain('smoke-');
  }, 180_000);

  test('fails if the server does not behave as required, and reports why', async () => {
    const lines: string[] = [];
    const stranger = join(folder, 'stranger');
    writeFileSync(stranger, strangers(server.url, server.certificateAuthority));
    const code = await smoke(['--kubeconfig', stranger, '--kubectl', '/nowhere/kubectl'], (line) => lines.push(line));
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^FAILED {3}a namespace is created: 401 /));
  }, 180_000);

  test('fails if a server accepts a certificate of another authority', async () => {
    const authority = await newAuthority(new Date());
    const subjects: string[] = [];
    const { certificate: cert, key } = await authority.issue({ name: 'server' }, ['127.0.0.1']);
    const trusting = createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      const peer = (request.socket as TLSSocket).getPeerX509Certificate();
      if (peer !== undefined) subjects.push(peer.subject);
      response.end('{}');
    });
    await once(trusting.listen(0, '127.0.0.1'), 'listening');
    const url = `https://127.0.0.1:${(trusting.address() as AddressInfo).port}`;
    const trusted = join(folder, 'trusting');
    writeFileSync(trusted, strangers(url, authority.certificate));
    const others = ['namespace', 'watch', 'reconcilers', 'deployment', 'scheduler', 'logs', 'kubectl'];
    const lines: string[] = [];
    const code = await smoke(['--kubeconfig', trusted, ...others.flatMap((word) => ['--skip', word])], (line) =>
      lines.push(line),
    );
    trusting.close();
    trusting.closeAllConnections();
    expect(code).toBe(1);
    expect(lines).toContain(
      'FAILED   it refuses a client certificate of another authority: the answer is 200, not 401 or 403',
    );
    expect(subjects).toEqual(['CN=smoke\nO=system:masters']);
  }, 60_000);

  test('fails if the server does not reach the node of a pod', async () => {
    await using simulated = await startApiserver({ simulatedNodes: 1 });
    const send = requester(simulated);
    await eventually(async () => {
      const [node] = items((await send('GET', '/api/v1/nodes')).body, 'items');
      expect(objectAt(node, 'spec')).toBeDefined();
      expect(items(objectAt(node, 'spec'), 'taints')).toEqual([]); // pods can be scheduled
    });
    const there = join(folder, 'simulated');
    writeFileSync(there, simulated.kubeconfig, { mode: 0o600 });
    const lines: string[] = [];
    const code = await smoke(['--kubeconfig', there, '--skip', 'kubectl'], (line) => lines.push(line));
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([
      expect.stringMatching(/^FAILED {3}logs of a pod are answered: 503: .*--skip logs$/),
    ]);
  }, 180_000);

  test.each([
    [[], /^usage: npm run smoke/],
    [['--kubeconfig', '/nowhere'], /nowhere/],
    [['--sever', 'x'], /sever/],
  ])('exits with 2 and one line for %j', async (args, text) => {
    const lines: string[] = [];
    expect(await smoke(args, (line) => lines.push(line))).toBe(2);
    expect(lines).toEqual([expect.stringMatching(text)]);
  });
});

test('npm run smoke -- --server authenticates with an AWS token that it creates, and so does kubectl', async () => {
  const authority = await newAuthority(new Date());
  await using closing = new AsyncDisposableStack();
  const sts = await startSts(await authority.issue({ name: 'sts' }, STS_NAMES));
  closing.defer(() => sts.close());
  const mapped = { rolearn: ADMIN, username: 'amy', groups: ['system:masters'] };
  const map = parseIdentityMap(JSON.stringify({ clusterID: 'prod', mapRoles: [mapped] }));
  const endpoint = { host: '127.0.0.1', port: Number(new URL(sts.url).port), caBundle: authority.certificate };
  const behind = closing.use(await startApiserver({ authentication: { aws: { map, endpoint } } }));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, behind.certificateAuthority);
  const credentials = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'us-east-1' };
  // The authorities that Node.js and Go trust, instead of a public one.
  const environment = { ...credentials, NODE_EXTRA_CA_CERTS: ca, SSL_CERT_FILE: ca };
  const words = ['--server', behind.url, '--cluster-id', 'prod', '--kubectl', program];
  const { code, lines } = await runSmoke(words, environment);
  expect({ code, failed: lines.filter((line) => line.startsWith('FAILED')) }).toEqual({
    code: 0,
    failed: [],
  });
  expect(lines).toContainEqual(expect.stringMatching(/^ok {7}it knows who asks \(amy, /));
}, 240_000);

test('npm run smoke -- --server without credentials of AWS ends with 2 and one line', async () => {
  const nothing = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' };
  const files = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null', AWS_REGION: 'us-east-1' };
  const { code, lines } = await runSmoke(['--server', server.url], { ...nothing, ...files });
  expect({ code, lines }).toEqual({ code: 2, lines: [expect.stringContaining('credentials')] });
});

test('docs/deploy.md lists what a check does not show, as the command prints it', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/deploy.md'), 'utf8');
  const list = /^### Not proven\n\n[^]*?\n\n((?:- .*\n)+)/m.exec(docs)?.[1]?.replaceAll('`', '');
  expect(list?.trimEnd().split('\n')).toEqual(UNPROVEN.map((fact) => `- ${fact}`));
});
