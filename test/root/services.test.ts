import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, aWorkload, FOREVER } from './builders.ts';
import {
  ask,
  askFromPod,
  askMany,
  Backends,
  makeOutside,
  OUTSIDE,
  PORT,
  pageFromOutside,
  pidOf,
  UdpClient,
} from './services/backends.ts';
import { anEndpoint, aService, aSlice } from './services/manifests.ts';
import { HOST } from './setup.ts';
import { TestNode } from './test-node.ts';

const [ONE, TWO, THREE] = ['10.100.0.11', '10.100.0.12', '10.100.0.13'];
/** Serves its name, and the client's address at `/cgi-bin/who`. */
const WEB = `mkdir -p /www/cgi-bin; hostname >/www/index.html
printf '#!/bin/sh\\nprintf "Content-Type: text/plain\\\\r\\\\n\\\\r\\\\n$REMOTE_ADDR"\\n' >/www/cgi-bin/who; chmod +x /www/cgi-bin/who
httpd -p 8080 -h /www; ${FOREVER}`;
let node: TestNode;
let backends: Backends;

beforeAll(async () => {
  makeOutside();
  backends = await Backends.at(ONE, TWO, THREE);
  const network = ['--proxy-mode=nftables', '--cluster-cidr=10.244.0.0/16', '--serve-dns'];
  node = await TestNode.startWith({
    network: true,
    agent: [...network, '--cluster-dns=10.96.0.10', '--cluster-domain=cluster.local', '--resolv-conf='],
  });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await backends[Symbol.asyncDispose]();
});

/** The ClusterIP of a Service. */
const addressOf = (name: string): Promise<string> =>
  node.output('get', 'service', name, '-o', 'jsonpath={.spec.clusterIP}');

/** Resolves when many requests are served by all of these backends, and by no other. */
const answers = (host: string, port: number, ...expected: readonly string[]): Promise<void> => {
  let last: readonly string[] = [];
  return eventually(
    async () => (last = await askMany(host, port)).join() === expected.join(),
    () => `${host}:${port} is answered by ${expected.join()}: ${last.join()}\n${node.log.slice(-3000)}`,
  );
};

/** Creates a Service with these endpoints, and returns its ClusterIP. */
async function serving(name: string, endpoints: readonly object[], spec: object = {}): Promise<string> {
  await node.apply(aService(name, spec), aSlice(name, endpoints));
  return addressOf(name);
}

test('a ClusterIP leads to every endpoint, and is refused immediately without any', async () => {
  const address = await serving('plain', [anEndpoint(ONE), anEndpoint(TWO)]);
  await answers(address, 80, ONE, TWO);
  await node.apply(aSlice('plain', [anEndpoint(TWO)]));
  await answers(address, 80, TWO);
  await node.apply(aSlice('plain', []));
  await answers(address, 80, 'ECONNREFUSED');
  expect(await ask(address, 81)).toBe('ECONNREFUSED');
  expect(await ask('10.96.77.77')).toBe('timeout'); // dropped, because no Service has the address
});

test('terminating endpoints serve while no other is ready, and unready ones never serve', async () => {
  const ending = { conditions: { ready: false, serving: true, terminating: true } };
  const address = await serving('ending', [anEndpoint(ONE, ending), anEndpoint(TWO)]);
  await answers(address, 80, TWO);
  await node.apply(aSlice('ending', [anEndpoint(ONE, ending)]));
  await answers(address, 80, ONE);
  await node.apply(aSlice('ending', [anEndpoint(ONE, { conditions: { ready: false, serving: false } })]));
  await answers(address, 80, 'ECONNREFUSED');
});

test('a UDP flow moves to a new endpoint when its own is deleted', async () => {
  const ports = [{ name: 'http', port: 80, targetPort: PORT, protocol: 'UDP' }];
  await node.apply(aService('flow', { ports }), aSlice('flow', [anEndpoint(ONE)], 'UDP'));
  const address = await addressOf('flow');
  using client = new UdpClient();
  await eventually(async () => expect(await client.ask(address)).toBe(ONE));
  await node.apply(aSlice('flow', [anEndpoint(TWO)], 'UDP'));
  await eventually(async () => expect(await client.ask(address)).toBe(TWO));
});

test('a client keeps its endpoint for the time of the affinity, even over a restart of the agent', async () => {
  const affinity = (timeoutSeconds: number): object => ({
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds } },
  });
  const all = [ONE, TWO, THREE].map((address) => anEndpoint(address));
  const address = await serving('sticky', all, affinity(100));
  await eventually(async () => (await ask(address)).startsWith('10.'));
  const first = await askMany(address);
  expect(first.length).toBe(1);
  for (let i = 0; i < 2; i++) {
    await node.restartAgent();
    await eventually(() => expect(node.log).toContain('Services are forwarded'));
    expect(await askMany(address)).toEqual(first);
  }
  await node.apply(aService('sticky', affinity(1)));
  // Each request renews the affinity, so a request is only sent after the kernel has forgotten the client.
  await eventually(async () => isForgotten() && (await ask(address)) !== first[0]);
});

/** Whether the kernel has no affinity entry for any client. */
function isForgotten(): boolean {
  const sets = node.first.run('nft', 'list', 'sets', 'ip');
  expect(sets).toContain('set affinity-');
  return !/set affinity-[^{]*\{[^}]*elements = /.test(sets);
}

test('a NodePort is open at the addresses of the node, from the host and from outside', async () => {
  const ports = [{ name: 'http', port: 80, targetPort: PORT, nodePort: 30080 }];
  await serving('open', [anEndpoint(ONE)], { type: 'NodePort', ports });
  await answers(HOST, 30080, ONE);
  expect(await pageFromOutside(`http://${HOST}:30080`)).toContain(ONE);
  expect(await ask('127.0.0.1', 30080)).toBe('ECONNREFUSED'); // as with kube-proxy in nftables mode
  await node.apply(aSlice('open', []));
  await answers(HOST, 30080, 'ECONNREFUSED');
});

test('internalTrafficPolicy Local uses only endpoints on the node', async () => {
  const elsewhere = anEndpoint(TWO, { nodeName: 'n2' });
  const address = await serving('inside', [elsewhere], { internalTrafficPolicy: 'Local' });
  await eventually(async () => expect(await ask(address)).toBe('timeout'));
  await node.apply(aSlice('inside', [elsewhere, anEndpoint(ONE)]));
  await answers(address, 80, ONE);
});

test('topology hints select endpoints of the zone and of the node if all endpoints have hints', async () => {
  const hinted = (address: string, forZones: string, more: object = {}): object =>
    anEndpoint(address, { hints: { forZones: [{ name: forZones }], ...more } });
  const zones = [hinted(ONE, 'a'), hinted(TWO, 'b')];
  const address = await serving('near', zones, { trafficDistribution: 'PreferSameZone' });
  await answers(address, 80, ONE, TWO);
  await node.output('label', 'node', 'n1', 'topology.kubernetes.io/zone=b');
  await answers(address, 80, TWO);
  await node.apply(aSlice('near', [...zones, anEndpoint(THREE)]));
  await answers(address, 80, ONE, TWO, THREE);
  const nodes = [hinted(ONE, 'b', { forNodes: [{ name: 'n1' }] }), hinted(TWO, 'b', { forNodes: [{ name: 'n2' }] })];
  await node.apply(aSlice('near', nodes));
  await answers(address, 80, ONE);
});

test('external and load balancer addresses lead to endpoints, for the allowed source networks', async () => {
  const [external, balanced] = ['10.100.7.1', '10.100.7.2'];
  const spec = { type: 'LoadBalancer', externalIPs: [external], loadBalancerSourceRanges: ['10.100.0.0/28'] };
  await serving('balanced', [anEndpoint(ONE)], spec);
  const status = JSON.stringify({ status: { loadBalancer: { ingress: [{ ip: balanced }] } } });
  await node.output('patch', 'service', 'balanced', '--subresource=status', '--type=merge', '-p', status);
  await answers(external, 80, ONE);
  await answers(balanced, 80, ONE);
  expect(await pageFromOutside(`http://${external}`)).toContain(ONE);
  expect(await pageFromOutside(`http://${balanced}`)).toBe('');
  await node.apply(aService('balanced', { ...spec, loadBalancerSourceRanges: [`${OUTSIDE}/32`, `${HOST}/32`] }));
  await eventually(async () => expect(await pageFromOutside(`http://${balanced}`)).toContain(ONE));
});

test("externalTrafficPolicy Local keeps the client's address, and its health check reports local endpoints", async () => {
  await node.apply(aWorkload('Deployment', 'web', { replicas: 1 }, WEB));
  await node.output('rollout', 'status', 'deployment/web', '--timeout=120s');
  const ports = [{ port: 80, targetPort: PORT, nodePort: 30081 }];
  const spec = { type: 'LoadBalancer', selector: { app: 'web' }, ports };
  const who = `http://${HOST}:30081/cgi-bin/who`;
  await node.apply(aService('web', spec));
  await eventually(async () => expect(await pageFromOutside(who)).toContain('10.244.0.1'));
  await node.apply(aService('web', { ...spec, externalTrafficPolicy: 'Local' }));
  await eventually(async () => expect(await pageFromOutside(who)).toContain(OUTSIDE));
  const port = await node.output('get', 'service', 'web', '-o', 'jsonpath={.spec.healthCheckNodePort}');
  const health = async (): Promise<number> =>
    (await fetch(`http://${HOST}:${port}/`).catch(() => undefined))?.status ?? 0;
  await eventually(async () => expect(await health()).toBe(200));
  expect(await (await fetch(`http://${HOST}:10256/healthz`)).json()).toMatchObject({
    healthy: true,
    nodeEligible: true,
  });
  await node.output('scale', 'deployment/web', '--replicas=0');
  await eventually(async () => expect(await health()).toBe(503));
});

test('kubernetes.default leads to the API server by name and address, with the token and CA of a pod', async () => {
  await node.apply(aPod('self', WEB));
  await node.output('wait', '--for=condition=Ready', 'pod/self', '--timeout=120s');
  const root = '/var/run/secrets/kubernetes.io/serviceaccount';
  const read = (file: string): Promise<string> => node.output('exec', 'self', '--', 'cat', `${root}/${file}`);
  const [token, ca] = [await read('token'), await read('ca.crt')];
  const found = await node.output('exec', 'self', '--', 'nslookup', 'kubernetes.default.svc.cluster.local');
  expect(found).toContain('10.96.0.1');
  const id = await node.output('get', 'pod', 'self', '-o', 'jsonpath={.status.containerStatuses[0].containerID}');
  const pid = pidOf(id.replace('containerd://', ''));
  for (const name of ['kubernetes.default.svc', 'kubernetes.default', 'kubernetes.default.svc.cluster.local'])
    expect(askFromPod(pid, { name, token, ca })).toMatch(/^200 .*selfsubjectreviews/s);
  expect(askFromPod(pid, { name: 'kubernetes.other', token, ca })).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
});

test('metrics and health are those of kube-proxy', async () => {
  const metrics = await node.output('get', '--raw', '/api/v1/nodes/n1/proxy/metrics');
  for (const name of ['sync_proxy_rules_duration_seconds_count', 'network_programming_duration_seconds_count'])
    expect(metrics).toMatch(new RegExp(`^kubeproxy_${name}{ip_family="IPv4"} [1-9]`, 'm'));
  expect(metrics).toMatch(/^kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family="IPv4"} 1\.\d+e\+09|\d{10}/m);
});
