import { createServer, type Server } from 'node:https';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { newAuthority } from '#local/certs.ts';
import { startGatewayCluster } from '#test/support/gateway/cluster.ts';
import { startContainerCluster } from '#test/support/gateway/container-cluster.ts';

const HOOK_POD = { hook: { containers: [{ name: 'main', image: 'i', command: ['sleep', '300'] }] } };
const resource = (group: string, plural: string) => ({ group, version: 'v1', resource: plural });
const CONFIG_MAPS = resource('', 'configmaps');
const inDefault = (name: string): JsonObject => ({ name, namespace: 'default' });

/** A webhook that rejects objects named `refused`. */
async function aHook(): Promise<{ server: Server; caBundle: string }> {
  const authority = await newAuthority(new Date());
  const { certificate, key } = await authority.issue({ name: 'hook' }, ['hook.default.svc']);
  const server = createServer({ cert: certificate, key }, (asked, answer) => {
    void json(asked).then((review) => {
      const { apiVersion, kind, request } = review as Record<string, { uid: string; name: string }>;
      const response = { uid: request?.uid, allowed: request?.name !== 'refused', status: { message: 'not today' } };
      answer.setHeader('content-type', 'application/json').end(JSON.stringify({ apiVersion, kind, response }));
    });
  });
  return { server, caBundle: Buffer.from(authority.certificate).toString('base64') };
}

/** Creates a Service for the pod, and registers it as a webhook for new ConfigMaps. */
async function register(client: Client, caBundle: string): Promise<void> {
  const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
  const pod = await client.get({ resource: resource('', 'pods'), namespace: 'default', name: 'hook' });
  const { metadata, status } = Object(pod) as { metadata: { uid: string }; status: { podIP: string } };
  await client.create(resource('', 'services'), { metadata: inDefault('hook'), spec: { ports } });
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'hook', uid: metadata.uid };
  await client.create(resource('discovery.k8s.io', 'endpointslices'), {
    metadata: { ...inDefault('hook-1'), labels: { 'kubernetes.io/service-name': 'hook' } },
    addressType: 'IPv4',
    ports: [{ name: 'https', port: 8443 }],
    endpoints: [{ addresses: [status.podIP], nodeName: 'n1', targetRef, conditions: { ready: true } }],
  });
  await client.create(resource('admissionregistration.k8s.io', 'validatingwebhookconfigurations'), {
    metadata: { name: 'hook' },
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: { service: { namespace: 'default', name: 'hook' }, caBundle },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
}

describe.each([
  { title: 'a container', start: startContainerCluster },
  { title: 'functions', start: startGatewayCluster },
])('an API server before $title', ({ start }) => {
  test('a webhook in a pod is called through the connection of the agent', async () => {
    await using cluster = await start(HOOK_POD);
    const { server, caBundle } = await aHook();
    cluster.node.server = server;
    await register(cluster.client, caBundle);
    const make = (name: string): Promise<JsonObject> =>
      cluster.client.create(CONFIG_MAPS, { metadata: inDefault(name) });
    expect(await make('taken')).toMatchObject({ metadata: { name: 'taken' } });
    await expect(make('refused')).rejects.toThrow('admission webhook "hook.example.com" denied the request: not today');
  });
});
