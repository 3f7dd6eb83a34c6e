import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { isObject, type Json, objectAt } from '#lib/machinery/json-value.ts';
import { defineValidating } from '#lib/sdk/webhook-sdk/define-validating.ts';
import { denied } from '#lib/sdk/webhook-sdk/denied.ts';
import { configurationObject } from '#lib/sdk/webhook-sdk/objects.ts';
import { newAuthority } from '../certs.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';
import { serveWebhooks } from './webhook-server.ts';

const MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;
const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
const colours = defineValidating({ name: 'colours', rules }, ({ metadata }) => {
  if (metadata.name === 'red') throw denied('red is no colour');
  if (metadata.name === 'broken') throw new Error('it is broken');
});

const folder = mkdtempSync(join(tmpdir(), 'davit-webhooks-'));
const logged: string[] = [];
let server: RunningApiserver;
let port = 0;
let close = (): void => undefined;

beforeAll(async () => {
  const authority = await newAuthority(new Date());
  const { certificate, key } = await authority.issue({ name: 'webhooks' }, ['localhost', '127.0.0.1']);
  writeFileSync(join(folder, 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls.key'), key);
  const webhooks = await serveWebhooks({
    address: { host: '127.0.0.1', port: 0 },
    certificates: folder,
    webhooks: new Map([['colours', colours]]),
    log: { info() {}, error: (message) => void logged.push(message) },
    timeout: 10_000,
  });
  close = () => void webhooks.close();
  server = await startApiserver();
  ({ port } = webhooks.address() as AddressInfo);
  const url = `https://127.0.0.1:${port}/colours`;
  const caBundle = Buffer.from(authority.certificate).toString('base64');
  const place = { service: { namespace: 'team', name: 'webhooks' }, labels: {} };
  const configuration = configurationObject(colours.declaration, place) ?? {};
  const asked = (configuration['webhooks'] as Json[])[0];
  const clientConfig = { url, caBundle };
  const whole = { ...configuration, webhooks: [{ ...(isObject(asked) ? asked : {}), clientConfig }] };
  expect(objectAt(whole, 'metadata')?.['name']).toBe('colours.webhooks.davit.dev');
  await server.client.create(whole as unknown as KubernetesObject);
});
afterAll(async () => {
  close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const make = (name: string) => server.client.create({ ...MAP, metadata: { namespace: 'default', name } });

test('serves an API server over HTTPS, and returns its errors', async () => {
  await expect(make('red')).rejects.toThrow('red is no colour');
  await expect(make('blue')).resolves.toMatchObject({ metadata: { name: 'blue' } });
  await expect(make('broken')).rejects.toThrow('it is broken');
  expect(logged).toContain('it is broken');
});

test.each(['//', '//[', '/none'])('returns an error for a request of %s: no webhook has that path', async (path) => {
  const asked = request({ host: '127.0.0.1', port, path, method: 'POST', rejectUnauthorized: false, agent: false });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  asked.end();
  const [answer] = await answered;
  expect(answer.statusCode).toBe(404);
});

test('answers plain HTTP with an explanation', async () => {
  const [answer] = (await once(get({ host: '127.0.0.1', port, agent: false }), 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(400);
  expect(Buffer.concat(await answer.toArray()).toString()).toBe('Client sent an HTTP request to an HTTPS server.\n');
});
