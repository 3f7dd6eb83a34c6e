import { createServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keptSigner, type SharedSecret } from '#lib/controllers/certificates/kept-signer.ts';
import { newAuthority } from '#local/certs.ts';
import { backendsConformance } from '#test/support/backends/backends.conformance.ts';
import { PODS, type Reaching, textOf, withPort } from '#test/support/backends/bench.ts';
import { aContainer } from '#test/support/backends/container.ts';
import { startKubelet } from '#test/support/kubelet/kubelet.ts';
import { onLoopback } from '#test/support/loopback.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { containerBackends } from './backends.ts';
import type { KubeletSettings } from './kubelet-config.ts';

backendsConformance('a container', ({ client, caBundle, timeout = 5000, isProxyable }) =>
  aContainer({
    env: {
      DAVIT_NODE_ROUTE: 'true',
      DAVIT_KUBELET_TIMEOUT: `${timeout}ms`,
      ...(client && { DAVIT_KUBELET_CLIENT_CERTIFICATE: client.certificate, DAVIT_KUBELET_CLIENT_KEY: client.key }),
      ...(caBundle && { DAVIT_KUBELET_CERTIFICATE_AUTHORITY: caBundle }),
    },
    ...(isProxyable && { isProxyable }),
  }),
);

describe.each(['function-url', 'web-function', 'rest', 'container'])('%s without a route to nodes', (frontDoor) => {
  let server: Reaching;
  let ask: Requester;
  beforeAll(async () => {
    server = await aContainer({ env: { DAVIT_FRONT_DOOR: frontDoor } });
    ask = requester(server);
    const named = (name: string) => ({ metadata: { name } });
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    const answers = [
      await ask('POST', '/api/v1/namespaces/default/serviceaccounts', named('default')),
      await ask('POST', '/api/v1/nodes', { ...named('n'), status: { ...withPort(10250) } }),
      await ask('POST', PODS, { ...named('p'), spec }),
      await ask('PATCH', `${PODS}/p/status`, { status: { podIPs: [{ ip: '10.1.2.3' }] } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200]);
  });
  afterAll(() => server.close());

  test.each([
    ['GET', `${PODS}/p/log`, 'no connection to node "n": this server has no route to nodes'],
    ['POST', `${PODS}/p/exec?command=ls`, 'no connection to node "n": this server has no route to nodes'],
    ['POST', `${PODS}/p/attach`, 'no connection to node "n": this server has no route to nodes'],
    ['POST', `${PODS}/p/portforward`, 'no connection to node "n": this server has no route to nodes'],
    ['GET', '/api/v1/nodes/n/proxy/metrics', 'no connection to node "n": this server has no route to nodes'],
    ['GET', `${PODS}/p/proxy/`, 'error trying to reach service: no route to 10.1.2.3'],
  ])('%s %s returns an error that explains it', async (method, path, why) => {
    expect(textOf(await ask(method, path))).toBe(`503 ${why}`);
  });
});

describe("the account's own certificate", () => {
  const settings: KubeletSettings = {
    client: undefined,
    caBundle: '',
    preferredAddressTypes: [],
    timeout: 5000,
    ownHost: undefined,
  };
  const request = (port: number) => ({
    target: { host: '127.0.0.1', port, globalOnly: false },
    tls: 'kubelet' as const,
    method: 'GET',
    path: '/healthz',
    headers: { host: 'x' },
    body: new Uint8Array(),
    signal: new AbortController().signal,
  });

  test('is presented to kubelets that trust the authority, once the secret can be read', async () => {
    let kept: string | undefined;
    let isRead = false;
    const secret: SharedSecret = async (_, make) => {
      if (!isRead) throw new Error('the key refuses');
      return (kept ??= Buffer.from(await make()).toString());
    };
    const { roundTripper } = containerBackends(settings, secret);
    await expect(roundTripper.send(request(1))).rejects.toThrow('the key refuses');
    isRead = true;
    const kubelet = await startKubelet((await keptSigner(secret, new Date())).certificate);
    expect((await roundTripper.send(request(kubelet.port))).status).toBe(404);
    expect(kubelet.client()).toBe('kube-apiserver-kubelet-client');
    await kubelet.close();
  });

  test('is not presented to the API server itself, which a node may name as its kubelet', async () => {
    const secret: SharedSecret = async (_, make) => Buffer.from(await make()).toString();
    const authority = await newAuthority(new Date());
    const { certificate: cert, key } = await authority.issue({ name: 'edge' }, ['api.example.com', '127.0.0.1']);
    let asked = 0;
    const { port, close } = await onLoopback(
      createServer({ cert, key }, (_, response) => {
        asked++;
        response.end();
      }),
    );
    const ask = (ownHost: string) =>
      containerBackends({ ...settings, ownHost }, secret).roundTripper.send(request(port));
    await expect(ask('api.example.com')).rejects.toThrow(`dial tcp 127.0.0.1:${port}: this is the API server itself`);
    expect(asked).toBe(0);
    expect((await ask('other.example.com')).status).toBe(200);
    await close();
  });

  test('is not created if another certificate is configured, which must be valid', () => {
    const secret: SharedSecret = () => Promise.reject(new Error('nobody asks'));
    const client = { certificate: 'none', key: 'none' };
    expect(() => containerBackends({ ...settings, client }, secret)).toThrow(
      'DAVIT_KUBELET_CLIENT_CERTIFICATE: is no certificate of DAVIT_KUBELET_CLIENT_KEY: ',
    );
  });
});
