import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { makeOutside, PORT, pageFromPod, pidOf } from './services/backends.ts';
import { aService } from './services/manifests.ts';
import { TestNode } from './test-node.ts';

/** Serves the name of its pod. */
const WEB = `mkdir /www; hostname >/www/index.html; httpd -p ${PORT} -h /www; ${FOREVER}`;
/** A web server that never becomes ready. */
const NOT_READY = shell(WEB, { readinessProbe: { exec: { command: ['false'] }, periodSeconds: 1 } });
let node: TestNode;

beforeAll(async () => {
  makeOutside();
  const network = ['--proxy-mode=nftables', '--cluster-cidr=10.244.0.0/16', '--serve-dns'];
  node = await TestNode.startWith({
    network: true,
    agent: [...network, '--cluster-dns=10.96.0.10', '--cluster-domain=cluster.local', '--resolv-conf='],
  });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

test('a pod reaches itself, other pods, endpoints of a headless Service and external hosts by name', async () => {
  const ports = [{ port: 80, targetPort: PORT }];
  await node.apply(
    aPod('self', WEB),
    aService('self', { selector: { app: 'self' }, ports }),
    aService('members', { clusterIP: 'None', selector: { app: 'self' }, ports: [{ port: PORT }] }),
    aService('alias', { type: 'ExternalName', externalName: 'self.default.svc.cluster.local', ports: undefined }),
    aPod('other', WEB, { containers: [NOT_READY] }),
    aService('early', { selector: { app: 'other' }, publishNotReadyAddresses: true, ports }),
    aService('late', { selector: { app: 'other' }, ports }),
  );
  await node.output('wait', '--for=condition=Ready', 'pod/self', '--timeout=120s');
  const id = await node.output('get', 'pod', 'self', '-o', 'jsonpath={.status.containerStatuses[0].containerID}');
  const pid = pidOf(id.replace('containerd://', ''));
  const page = async (service: string, port = 80): Promise<string> => {
    const name = `${service}.default.svc.cluster.local`;
    const { stdout } = await node.kubectl('exec', 'self', '--', 'nslookup', '-type=a', name);
    const address = /^Name:.*\nAddress(?: 1)?: ([0-9.]+)/m.exec(stdout)?.[1];
    return address === undefined ? stdout : (await pageFromPod(pid, `http://${address}:${port}`)).trim();
  };
  const shows = async (expected: string, service: string, port = 80): Promise<void> => {
    let last = '';
    await eventually(
      async () => (last = await page(service, port)) === expected,
      () => `${service} shows ${expected}: ${last}\n${node.log.slice(-3000)}`,
    );
  };
  await shows('self', 'self');
  await shows('self', 'members', PORT);
  await shows('self', 'alias');
  await shows('other', 'early');
  expect(await page('late')).toBe('');
});
