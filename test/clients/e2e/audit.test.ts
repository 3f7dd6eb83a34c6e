import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { LOG_BATCH, WEBHOOK_BATCH } from '#lib/server/audit/options.ts';
import { parsePolicy } from '#lib/server/audit/parse-policy.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { eventually } from '#test/support/eventually.ts';
import { requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';
import { type AuditWebhookServer, auditWebhookServer } from './audit-webhook.ts';
import { Kubectl } from './kubectl/kubectl.ts';

const POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: None, users: ['system:apiserver']}
- {level: None, nonResourceURLs: ['/livez*']}
- {level: Metadata, resources: [{resources: [secrets]}]}
- {level: RequestResponse, omitManagedFields: true}
`;
const SECRET = 'hunter2-of-the-secret';

const newest = await newestKubectl();

describe('the audit log of kubectl', needing(newest), () => {
  let webhook: AuditWebhookServer;
  let server: RunningApiserver;
  let kubectl: Kubectl;
  const folder = mkdtempSync(join(tmpdir(), 'davit-audit-'));
  const path = join(folder, 'audit.log');
  const faults: string[] = [];

  beforeAll(async () => {
    webhook = await auditWebhookServer();
    server = await startApiserver({
      audit: {
        policy: parsePolicy(POLICY),
        log: {
          path,
          maxAge: 0,
          maxBackups: 0,
          maxSize: 100,
          compress: false,
          format: 'json',
          mode: 'blocking',
          batch: LOG_BATCH,
        },
        webhook: {
          config: { url: webhook.url, caBundle: webhook.authority },
          initialBackoff: 100,
          mode: 'batch',
          batch: { ...WEBHOOK_BATCH, maxBatchWait: 50 },
        },
      },
      reportFault: (_, error) => void faults.push(String(error)),
    });
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
    kubectl = new Kubectl(pathOf(newest), { server, folder, kubeconfig });
  });
  afterAll(async () => {
    await server.close();
    await webhook[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
    expect(faults).toEqual([]);
  });

  /** Resolves with the event when it has arrived at the webhook. */
  const event = (wanted: JsonObject): Promise<void> =>
    eventually(() => expect(webhook.events()).toContainEqual(expect.objectContaining(wanted)));

  test('reports its writes, reads and rejections to the webhook', async () => {
    await kubectl.run('create configmap one --from-literal=a=b');
    await event({
      verb: 'create',
      stage: 'ResponseComplete',
      user: expect.objectContaining({ groups: expect.arrayContaining(['system:masters']) as never }) as never,
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'one', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: expect.objectContaining({ data: { a: 'b' } }) as never,
      responseObject: expect.objectContaining({ kind: 'ConfigMap', data: { a: 'b' } }) as never,
      sourceIPs: ['127.0.0.1'],
    });
    await kubectl.fails('get configmaps --as=ann --as-group=team');
    await event({
      verb: 'list',
      impersonatedUser: { username: 'ann', groups: ['team', 'system:authenticated'] },
      responseStatus: expect.objectContaining({ code: 403, reason: 'Forbidden' }) as never,
      annotations: expect.objectContaining({ 'authorization.k8s.io/decision': 'forbid' }) as never,
    });
    await kubectl.run('delete configmap one');
    await event({ verb: 'delete', responseStatus: expect.objectContaining({ status: 'Success', code: 200 }) as never });
  });

  test('has an event for the start and one for the end of a watch', async () => {
    await kubectl.try('get configmaps --watch --request-timeout=2s');
    await event({ verb: 'watch', stage: 'ResponseStarted', responseStatus: { metadata: {}, code: 200 } });
    await event({ verb: 'watch', stage: 'ResponseComplete' });
  });

  test('contains no token and no secret', async () => {
    const request = requester(server);
    await kubectl.run(`create secret generic s --from-literal=password=${SECRET}`);
    await kubectl.run('get secret s -o yaml');
    await kubectl.run(`patch secret s -p '{"stringData":{"other":"${SECRET}"}}'`);
    const token = await kubectl.run('create token default');
    await kubectl.try(`get configmaps --token=${token}`);
    const spec = { token };
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
    expect((await request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review)).status).toBe(201);
    const wrong = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'w' }, data: { password: SECRET } };
    expect((await request('POST', '/api/v1/namespaces/default/secrets', wrong)).status).toBe(400);
    const stranger = requester(server, { authorization: 'Bearer token-of-a-stranger' });
    expect((await stranger('GET', '/api/v1/secrets?access_token=token-in-a-query')).status).toBe(401);
    await event({
      auditID: expect.any(String) as never,
      responseStatus: expect.objectContaining({ code: 401 }) as never,
    });
    for (const text of [readFileSync(path, 'utf8'), webhook.text(), faults.join()]) {
      const words = [SECRET, Buffer.from(SECRET).toString('base64'), token, server.adminToken];
      for (const word of [...words, 'token-of-a-stranger', 'token-in-a-query', 'Bearer '])
        expect(text.includes(word), word).toBe(false);
    }
    expect(readFileSync(path, 'utf8')).toContain('"token":"REDACTED"');
  });
});
