import { describe, expect, test } from 'vitest';
import type { BackendRequest, BackendResponse } from '#lib/server/channel/round-tripper.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { remoteDiscovery } from './remote-discovery.ts';
import { anAnswer, answering, aRemote } from './testing.ts';

const TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const FLUNDERS = {
  resource: 'flunders',
  responseKind: { group: 'wardle.example.com', version: 'v1', kind: 'Flunder' },
  scope: 'Namespaced',
  singularResource: 'flunder',
  verbs: ['get'],
};
const document = (resources: unknown): string =>
  JSON.stringify({ items: [{ metadata: { name: 'wardle.example.com' }, versions: [{ version: 'v1', resources }] }] });
const listed = (resources: unknown = [FLUNDERS], etag = '"1"'): BackendResponse =>
  anAnswer(200, document(resources), { 'content-type': TYPE, etag });
const legacy = JSON.stringify({ resources: [{ name: 'flunders', kind: 'Flunder', namespaced: true, verbs: ['get'] }] });

const ofVersion = { group: 'wardle.example.com', version: 'v1' };
const STALE = { ...ofVersion, resources: [], freshness: 'Stale' };

describe('discovery of other servers', () => {
  test.each<[string, (request: BackendRequest) => BackendResponse | Promise<BackendResponse>, unknown]>([
    [
      'lists its versions',
      () => listed(),
      { ...ofVersion, resources: [], discovery: [FLUNDERS], freshness: 'Current' },
    ],
    [
      'leaves kinds out',
      () => listed([{ resource: 'a', scope: 'Cluster', verbs: null, subresources: [{ subresource: 'b' }] }]),
      {
        ...ofVersion,
        resources: [],
        freshness: 'Current',
        discovery: [
          {
            resource: 'a',
            responseKind: { group: '', version: '', kind: '' },
            scope: 'Cluster',
            singularResource: '',
            verbs: [],
            subresources: [{ subresource: 'b', responseKind: { group: '', version: '', kind: '' }, verbs: [] }],
          },
        ],
      },
    ],
    [
      'does not support aggregated discovery',
      ({ path }) => (path === '/apis' ? anAnswer(406) : anAnswer(200, legacy)),
      {
        ...ofVersion,
        freshness: 'Current',
        resources: [expect.objectContaining({ name: 'flunders', kind: 'Flunder', namespaced: true, verbs: ['get'] })],
      },
    ],
    ['is overloaded', () => anAnswer(503), STALE],
    ['returns invalid JSON', () => anAnswer(200, '<html>', { 'content-type': TYPE }), STALE],
    ['returns a different document', () => anAnswer(200, '{"items":1}', { 'content-type': TYPE }), STALE],
    ['closes the connection', () => Promise.reject(new TransportError('EOF')), STALE],
  ])('handles a server that %s', async (_, send, expected) => {
    const { versions } = remoteDiscovery(answering(new ManualClock(), send));
    expect(await versions([aRemote()])).toEqual([expected]);
  });

  test('does not contact an unavailable server', async () => {
    const ports = answering(new ManualClock(), () => listed());
    expect(await remoteDiscovery(ports).versions([aRemote({ isAvailable: false })])).toEqual([STALE]);
    expect(ports.sent).toEqual([]);
  });
});

test('requests again after a minute with the ETag, and meanwhile returns the cached versions', async () => {
  const clock = new ManualClock();
  const answers = [listed(), anAnswer(304), listed([], '"2"')];
  const ports = answering(clock, () => answers.shift() ?? anAnswer(500));
  const { versions } = remoteDiscovery(ports);
  const remote = [aRemote()];
  const [first] = await versions(remote);
  clock.advance(59_999);
  await versions(remote);
  expect(ports.sent).toHaveLength(1);
  clock.advance(1);
  expect((await versions(remote))[0]).toBe(first);
  await eventually(() => expect(ports.sent.length).toBe(2));
  expect(ports.sent[1]?.headers).toMatchObject({ 'if-none-match': '"1"', 'x-remote-user': 'system:kube-aggregator' });
  clock.advance(60_000);
  expect((await versions(remote))[0]).toBe(first);
  await eventually(async () => expect((await versions(remote))[0]?.discovery).toEqual([]));
});

test('waits 5 seconds for a server that hangs, and only the first time', async () => {
  const clock = new ManualClock();
  const hung = aRemote();
  const good = aRemote({ name: 'v1.good', group: 'good', service: { namespace: 'ns', name: 'good', port: 443 } });
  const ports = answering(clock, ({ tls }) =>
    typeof tls === 'object' && tls.serverName === 'good.ns.svc' ? listed() : new Promise(() => {}),
  );
  const { versions } = remoteDiscovery(ports);
  let done = false;
  const first = versions([hung, good]).finally(() => (done = true));
  await eventually(() => expect(ports.sent.length).toBe(2));
  clock.advance(4_999);
  await Promise.resolve();
  expect(done).toBe(false);
  clock.advance(1);
  expect((await first).map(({ freshness }) => freshness)).toEqual(['Stale', 'Current']);
  clock.advance(60_000);
  expect((await versions([hung, good])).map(({ freshness }) => freshness)).toEqual(['Stale', 'Current']);
});
