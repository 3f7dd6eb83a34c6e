import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readHead } from '#adapters/aws/lambda/answer-head.ts';
import { answerEvent } from '#adapters/aws/lambda/door.ts';
import { functionUrlRequest } from '#adapters/aws/lambda/function-url.ts';
import { functionUrlEvent, PlatformStream } from '#adapters/aws/lambda/testing.ts';
import { systemClock } from '#adapters/clock.ts';
import { FileStore } from '#adapters/node/host/records/certificate-store.ts';
import { configOf } from '#functions/apiserver/config.ts';
import { openPlatform } from '#functions/apiserver/platform.ts';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { LEASES, NODES, PODS, SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { keptSigner } from '#lib/controllers/certificates/kept-signer.ts';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { newAuthority } from '#local/certs.ts';
import { addNode } from '#local/commands/node-add.ts';
import { RunningControllers } from '#local/controllers.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Listening, onLoopback } from '#test/support/loopback.ts';
import { NodeConnection } from '../../../../node-agent/connection.ts';

const ADMIN: string = randomUUID();
let folder = '';
let url = '';
let ca = '';
let server: Apiserver;
let admin: Client;
let front: Listening;
let controllers: RunningControllers;
/** The method and path of each request, and whether it had a certificate or a bearer token. */
const asked: string[] = [];
const lines: string[] = [];

/** A request to a function URL and its response, in the order of arrival. */
async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', url: target = '/', rawHeaders } = incoming;
  const body = await buffer(incoming);
  const names = rawHeaders.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : [],
  );
  asked.push(`${method} ${target} ${incoming.headers.authorization === undefined ? 'bare' : 'signed'}`);
  const event = functionUrlEvent({ method, target, headers: names, ...(body.length === 0 ? {} : { body }) });
  const stream = new PlatformStream();
  outgoing.once('close', () => stream.destroy());
  const door = { toRequest: functionUrlRequest, handle: server.handle, vouched: () => undefined };
  const context = { getRemainingTimeInMillis: () => 900_000 };
  answerEvent(door, event, { stream, withHead: PlatformStream.withHead, context }).catch((error: Error) =>
    stream.destroy(error),
  );
  const { head, body: parts } = await readHead(stream);
  outgoing.writeHead(head.statusCode, head.headers).flushHeaders();
  for await (const part of parts) outgoing.write(part);
  outgoing.end();
}

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  folder = mkdtempSync(join(tmpdir(), 'davit-asserted-'));
  const authority = await newAuthority(new Date());
  const { certificate: cert, key } = await authority.issue({ name: 'front' }, ['127.0.0.1']);
  front = await onLoopback(
    createServer(
      { cert, key },
      (incoming, outgoing) => void answer(incoming, outgoing).catch(() => outgoing.destroy()),
    ), // does not request a client certificate
  );
  [url, ca] = [`https://127.0.0.1:${front.port}`, authority.certificate];
  const tokens = new ControllerTokens();
  const users = new Map(tokens.users()).set(ADMIN, { name: 'admin', groups: ['system:masters'] });
  const config = configOf({
    DAVIT_TABLE: 'davit',
    DAVIT_CLUSTER_ID: 'prod',
    DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
    DAVIT_OPTIONS: join(folder, 'none.json'),
  });
  const address = { host: '127.0.0.1', port: front.port };
  const table = new MemoryTable();
  const platform = await openPlatform(config, `127.0.0.1:${front.port}`, users, { table });
  server = platform.server;
  admin = apiClient({ handle: server.handle, token: ADMIN, userAgent: 'test' });
  controllers = await RunningControllers.start(server, {
    tokens,
    controllers: ['*'],
    reconcilers: [],
    log: { info() {}, error() {} },
    authority: ca,
    signer: await keptSigner(platform.secret, new Date()),
    address,
    clock: systemClock,
    sequences: await platform.store.names(),
    reportFault: (_, error) => console.error(error),
  });
  writeFileSync(
    join(folder, 'admin'),
    kubeconfigOf({ name: 'davit', server: url, authority: ca, user: { token: ADMIN } }),
    { mode: 0o600 },
  );
});
afterAll(async () => {
  vi.restoreAllMocks();
  await controllers.close();
  await front.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const renewed = async (): Promise<string | undefined> => {
  const lease = await admin.get({ resource: LEASES, namespace: 'kube-node-lease', name: 'edge-1' });
  return stringAt(objectAt(lease, 'spec'), 'renewTime');
};

test('an agent behind a function URL joins with its token, and is authenticated by signed requests', async () => {
  await addNode('edge-1', { ttl: '1h', servingCertificate: false, output: folder, server: url }, join(folder, 'admin'));
  const main = join(import.meta.dirname, '../../../../node-agent/main.ts');
  const state = join(folder, 'state');
  await using running = new RunningProgram(process.execPath, [
    main,
    `--bootstrap-kubeconfig=${join(folder, 'bootstrap-kubelet.conf')}`,
    `--root-dir=${state}`,
    `--kubeconfig=${join(state, 'kubeconfig')}`,
    '--hostname-override=edge-1',
  ]);
  await eventually(async () => expect(await renewed(), running.stderr).toBeDefined());
  const first = await renewed();
  await eventually(async () => expect(await renewed(), running.stderr).not.toBe(first));
  expect(await admin.get({ resource: NODES, namespace: '', name: 'edge-1' })).toMatchObject({
    status: { nodeInfo: { operatingSystem: 'linux' } },
  });
  const bare = asked.filter((one) => one.endsWith(' bare'));
  expect(bare.length, 'only the requests that were under way when the server asked for signatures').toBeLessThan(6);
  expect(`${running.stderr}${lines.join('')}`).not.toMatch(/Bearer|eyJ0eXAi/);
});

test('its certificate signs for its own pods, and for those of no other node', async () => {
  await admin
    .create({ ...SERVICE_ACCOUNTS }, { metadata: { name: 'default', namespace: 'default' } })
    .catch(() => undefined);
  const spec = { containers: [{ name: 'main', image: 'i' }] };
  for (const node of ['edge-1', 'edge-2'])
    await admin.create(PODS, {
      metadata: { name: `on-${node}`, namespace: 'default' },
      spec: { ...spec, nodeName: node },
    });
  const pair = await new FileStore(join(folder, 'state/pki'), () => Date.now()).current();
  if (pair === undefined) throw new Error('the agent has its certificate');
  using connection = new NodeConnection({ url, caBundle: ca }, pair);
  const report = (name: string) =>
    connection.client.patch(
      { resource: PODS, namespace: 'default', name },
      { status: { phase: 'Running', message: 'é' } },
      'status',
    );
  expect(await report('on-edge-1')).toMatchObject({ status: { phase: 'Running' } });
  await expect(report('on-edge-2')).rejects.toMatchObject({ code: 403 });
});
