import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Kubelet, startKubelet } from '#test/support/kubelet/kubelet.ts';
import { ADMIN, awsToken, STS_NAMES, startSts } from '#test/support/lambda/sts.ts';
import { mortal } from '#test/support/mortal.ts';
import { bundle } from '../../../infra/bundle/bundle.ts';

describeOn(await startDynamoDbLocal(), 'the API server as a program that listens', (endpoint) => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-server-'));
  const token = awsToken(new Date());
  let sts: Awaited<ReturnType<typeof startSts>>;
  let server: ChildProcess;
  let output: Interface;
  let port: number;
  let kubelet: Kubelet;
  beforeAll(async () => {
    bundle('apiserver-server', folder);
    const table = `davit-${randomUUID()}`;
    (await localTable(endpoint, table)).close();
    const authority = await newAuthority(new Date());
    sts = await startSts(await authority.issue({ name: 'sts' }, STS_NAMES));
    writeFileSync(join(folder, 'ca.pem'), authority.certificate);
    const policy = '{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]}';
    const shipped = { flags: { auditPolicyFile: 'policy' }, files: { policy } };
    writeFileSync(join(folder, 'apiserver.json'), JSON.stringify(shipped));
    kubelet = await startKubelet();
    const { client, caBundle } = kubelet.options;
    server = spawn(process.execPath, [join(folder, 'index.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PORT: '0',
        DAVIT_FRONT_DOOR: 'container',
        DAVIT_TABLE: table,
        DAVIT_CLUSTER_ID: 'test',
        DAVIT_ADMIN: ADMIN,
        DAVIT_OPTIONS: join(folder, 'apiserver.json'),
        DAVIT_NODE_ROUTE: 'true',
        DAVIT_KUBELET_CLIENT_CERTIFICATE: client.certificate,
        DAVIT_KUBELET_CLIENT_KEY: client.key,
        DAVIT_KUBELET_CERTIFICATE_AUTHORITY: caBundle,
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        AWS_ENDPOINT_URL_STS: sts.url,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_EC2_METADATA_DISABLED: 'true',
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      },
    });
    mortal(server);
    output = createInterface(server.stdout ?? process.stdin);
    ({ port } = await line<{ port: number }>(({ message }) => message === 'ready'));
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await sts.close();
    await kubelet.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The next line of its log that matches. */
  async function line<T extends object>(is: (line: Record<string, unknown>) => boolean): Promise<T> {
    for await (const [text] of on(output, 'line') as AsyncIterable<[string]>) {
      const read = JSON.parse(text) as Record<string, unknown>;
      if (is(read)) return read as T;
    }
    throw new Error('its log has ended');
  }

  async function ask(path: string, headers: Record<string, string>, body?: object): Promise<IncomingMessage> {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ host: '127.0.0.1', port, path, method, headers }).end(body && JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }
  const admin = { authorization: `Bearer ${token}` };
  const textOf = async (answer: IncomingMessage): Promise<string> =>
    (await answer.setEncoding('utf8').toArray()).join('');

  test('authenticates its administrator, and ignores a certificate header without the secret', async () => {
    expect((await ask('/api/v1/namespaces', admin)).statusCode).toBe(200);
    const bare = { 'cloudfront-viewer-cert-subject': 'CN=amy,O=system:masters' };
    expect((await ask('/api/v1/namespaces', bare)).statusCode).toBe(401);
  });

  test('ends its watches, its streams and itself on a signal', async () => {
    const json = { ...admin, 'content-type': 'application/json' };
    const named = (name: string) => ({ metadata: { name } });
    const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'i' }] };
    for (const [path, object] of [
      ['/api/v1/namespaces/default/serviceaccounts', named('default')],
      ['/api/v1/nodes', { ...named('n'), status: kubelet.nodeStatus }],
      ['/api/v1/namespaces/default/pods', { ...named('web'), spec }],
    ] as const)
      expect(await textOf(await ask(path, json, object))).toContain('creationTimestamp');
    kubelet.on('/containerLogs/', { request: (_, response) => void response.write('of the container') });
    kubelet.on('/exec/', {
      upgrade: (_, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n');
        socket.write('sec-websocket-protocol: v5.channel.k8s.io\r\n\r\nof the command');
      },
    });
    const log = textOf(await ask('/api/v1/namespaces/default/pods/web/log?follow=true', admin));
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v5.channel.k8s.io' };
    const path = '/api/v1/namespaces/default/pods/web/exec?command=sh&stdin=true';
    const asked = get({ host: '127.0.0.1', port, path, headers: { ...admin, ...upgrade } });
    const [answer, exec, head] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket, Buffer];
    exec.unshift(head); // the first bytes may arrive with the response
    expect(answer.headers['sec-websocket-protocol']).toBe('v5.channel.k8s.io');
    const execText = exec.toArray();
    const watch = await ask('/api/v1/namespaces?watch=1&resourceVersion=0&allowWatchBookmarks=true', admin);
    const told = textOf(watch);
    await once(watch, 'readable');
    const exited = once(server, 'exit');
    const isOver = line(({ stage, requestURI }) => stage === 'ResponseComplete' && requestURI === path);
    server.kill('SIGTERM');
    expect(await told).toContain('"kube-system"');
    expect(await log).toBe('of the container');
    expect(Buffer.concat((await execText) as Buffer[]).toString()).toBe('of the command');
    expect(await isOver).toMatchObject({ responseStatus: { code: 101 } });
    expect(await exited).toEqual([0, null]);
    await eventually(() => expect(kubelet.connections()).toBe(0));
  });
});
