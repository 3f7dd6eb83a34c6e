import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mustParsePrefix } from '#lib/machinery/net/parse-prefix.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

let server: RunningApiserver;
let send: Requester;
const faults: string[] = [];

beforeAll(async () => {
  server = await startApiserver({
    nodeRanges: [{ network: mustParsePrefix('10.244.0.0/16'), length: 24 }],
    reportFault: (id, error) => faults.push(`${id}: ${String(error)}`),
  });
  send = requester(server);
});
afterAll(() => server.close());

/** Waits until the text of the object at `path` satisfies `isSo`. */
const becomes = (path: string, isSo: (text: string) => boolean): Promise<void> =>
  eventually(
    async () => isSo(JSON.stringify((await send('GET', path)).body)),
    () => path,
  );

test.each(['kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', 'kubernetes'])(
  'pods trust the server as %s with the CA in kube-root-ca.crt',
  async (servername) => {
    const path = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt';
    await becomes(path, (text) => text.includes('BEGIN CERTIFICATE'));
    const { body } = await send('GET', path);
    const { 'ca.crt': ca = '' } = body['data'] as Record<string, string>;
    const socket = connect({ host: '127.0.0.1', port: server.port, servername, ca });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    expect(socket.getPeerX509Certificate()?.checkIP('10.96.0.1')).toBe('10.96.0.1');
    socket.destroy();
  },
);

test('the kubernetes Service exists', async () => {
  const path = '/api/v1/namespaces/default/services/kubernetes';
  await becomes(path, (text) => text.includes('clusterIP'));
  const { body } = await send('GET', path);
  expect(body['spec']).toMatchObject({ clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] });
});

test('controllers for nodes and volumes have their permissions', async () => {
  await send('POST', '/api/v1/nodes', { metadata: { name: 'n', labels: { 'kubernetes.io/os': 'linux' } } });
  await becomes(
    '/api/v1/nodes/n',
    (text) => text.includes('"podCIDR":"10.244.0.0/24"') && text.includes('node.alpha.kubernetes.io/ttl'),
  );
  await becomes('/api/v1/nodes/n', (text) => text.includes('beta.kubernetes.io/os'));
  const spec = { accessModes: ['ReadWriteOnce'] };
  const volume = { ...spec, capacity: { storage: '1Gi' }, hostPath: { path: '/x' } };
  await send('POST', '/api/v1/persistentvolumes', { metadata: { name: 'v' }, spec: volume });
  const resources = { requests: { storage: '1Gi' } };
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  await send('POST', claims, { metadata: { name: 'c' }, spec: { ...spec, resources, storageClassName: '' } });
  await becomes(`${claims}/c`, (text) => text.includes('"phase":"Bound"'));
  expect(faults).toEqual([]);
});
