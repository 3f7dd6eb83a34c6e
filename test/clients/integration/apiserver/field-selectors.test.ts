import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { json } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { metadataOf } from './kinds.ts';

let door: Awaited<ReturnType<typeof inProcess>>;
beforeAll(async () => {
  door = await inProcess();
  await create('/api/v1/namespaces', { metadata: { name: 'default' } });
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  for (const [path, objects] of Object.entries(OBJECTS)) for (const object of objects) await create(path, object);
});
afterAll(() => door.close());

async function create(path: string, body: JsonObject): Promise<void> {
  const answer = await door.send({ method: 'POST', path, body });
  if (answer.status !== 201) throw new Error(`${path}: ${String(json(answer)['message'])}`);
}

const POD = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels: { a: 'b' } }, spec: POD };
const about = (name: string): JsonObject => ({
  metadata: { name: `about-${name}`, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name, uid: `uid-${name}` },
  reason: name === 'one' ? 'Begun' : 'Ended',
  type: name === 'one' ? 'Normal' : 'Warning',
  source: { component: `from-${name}` },
});

const OBJECTS: Readonly<Record<string, readonly JsonObject[]>> = {
  '/api/v1/namespaces/default/pods': [
    { metadata: { name: 'placed' }, spec: { ...POD, nodeName: 'n', restartPolicy: 'Never' } },
    { metadata: { name: 'free' }, spec: { ...POD, schedulerName: 'mine', hostNetwork: true } },
  ],
  '/api/v1/nodes': [{ metadata: { name: 'open' } }, { metadata: { name: 'closed' }, spec: { unschedulable: true } }],
  '/api/v1/namespaces/default/secrets': [
    { metadata: { name: 'plain' } },
    { metadata: { name: 'typed' }, type: 'example.com/type' },
  ],
  '/api/v1/namespaces/default/services': [
    { metadata: { name: 'headless' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } },
    { metadata: { name: 'outside' }, spec: { type: 'ExternalName', externalName: 'example.com' } },
  ],
  '/api/v1/namespaces/default/replicationcontrollers': [
    { metadata: { name: 'rc' }, spec: { selector: { a: 'b' }, template } },
  ],
  '/apis/batch/v1/namespaces/default/jobs': [
    { metadata: { name: 'job' }, spec: { template: { spec: { ...POD, restartPolicy: 'Never' } } } },
  ],
  '/api/v1/namespaces/default/events': [about('one'), about('two')],
  '/apis/resource.k8s.io/v1/resourceslices': [
    {
      metadata: { name: 'slice' },
      spec: { driver: 'd.example.com', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 } },
    },
  ],
};

const PODS = '/api/v1/pods';
const EVENTS = '/api/v1/events';
const NEW_EVENTS = '/apis/events.k8s.io/v1/events';

test.each<[string, string, string[]]>([
  [PODS, 'metadata.name=free', ['free']],
  [PODS, 'metadata.namespace=default,metadata.name!=free', ['placed']],
  [PODS, 'spec.nodeName=n', ['placed']],
  [PODS, 'spec.nodeName=', ['free']],
  [PODS, 'spec.host=n', ['placed']],
  [PODS, 'spec.restartPolicy=Never', ['placed']],
  [PODS, 'spec.schedulerName=mine', ['free']],
  [PODS, 'spec.serviceAccountName=default', ['free', 'placed']],
  [PODS, 'spec.hostNetwork=true', ['free']],
  [PODS, 'status.phase!=Pending', []],
  [PODS, 'status.podIP=', ['free', 'placed']],
  [PODS, 'status.nominatedNodeName=', ['free', 'placed']],
  ['/api/v1/nodes', 'spec.unschedulable=true', ['closed']],
  ['/api/v1/nodes', 'spec.unschedulable=false', ['open']],
  ['/api/v1/namespaces', 'status.phase=Active', ['default']],
  ['/api/v1/secrets', 'type=Opaque', ['plain']],
  ['/api/v1/secrets', 'type=example.com/type', ['typed']],
  ['/api/v1/services', 'spec.clusterIP=None', ['headless']],
  ['/api/v1/services', 'spec.type=ExternalName', ['outside']],
  ['/api/v1/replicationcontrollers', 'status.replicas=0', ['rc']],
  ['/apis/batch/v1/jobs', 'status.successful=0', ['job']],
  [EVENTS, 'involvedObject.name=one', ['about-one']],
  [EVENTS, 'involvedObject.kind=Pod,involvedObject.uid=uid-two', ['about-two']],
  [EVENTS, 'reason=Ended', ['about-two']],
  [EVENTS, 'type=Normal', ['about-one']],
  [EVENTS, 'source=from-two', ['about-two']],
  [NEW_EVENTS, 'regarding.name=one', ['about-one']],
  [NEW_EVENTS, 'reason!=Ended,type=Normal', ['about-one']],
  ['/apis/resource.k8s.io/v1/resourceslices', 'spec.driver=d.example.com', ['slice']],
  ['/apis/resource.k8s.io/v1/resourceslices', 'spec.nodeName!=n', []],
])('%s by %s', async (path, selector, names) => {
  const list = json(await door.send({ path: `${path}?fieldSelector=${encodeURIComponent(selector)}` }));
  expect((list['items'] as JsonObject[]).map((item) => metadataOf(item)['name'])).toEqual(names);
});

test.each<[string, string, string]>([
  [PODS, 'spec.priority', 'field label not supported: spec.priority'],
  ['/api/v1/configmaps', 'data', '"data" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ['/apis/batch/v1/jobs', 'spec.x', 'field label "spec.x" not supported for Job'],
  [NEW_EVENTS, 'involvedObject.name', 'field label not supported: involvedObject.name'],
])('%s not by %s', async (path, label, message) => {
  const answer = json(await door.send({ path: `${path}?fieldSelector=${label}%3Dx` }));
  expect(answer).toMatchObject({ code: 400, message });
});
