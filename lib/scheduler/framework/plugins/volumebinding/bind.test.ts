import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aHandle, aNode, aPod, aPodInfo, aSnapshot } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import type { Handle } from '../../interface.ts';
import { volumeBindingArgs } from './args.ts';
import { aBoundClaim, aClaim, aClass, aVolume, onNodes, using } from './testing.ts';
import { volumeBinding } from './volume-binding.ts';

/** The server's objects, by resource, namespace and name. */
class Server {
  readonly objects = new Map<string, JsonObject>();
  readonly client: Client = {
    ...aHandle().client,
    get: async ({ resource, namespace, name }) => this.objects.get(`${resource.resource}/${namespace}/${name}`),
    update: async ({ resource }, object) => this.put(resource.resource, object),
  };

  put(resource: string, object: JsonObject): JsonObject {
    this.objects.set(`${resource}/${namespaceOf(object)}/${nameOf(object)}`, object);
    return object;
  }

  delete(path: string): void {
    this.objects.delete(path);
  }
}

const SELECTED = { 'volume.kubernetes.io/selected-node': 'a' };
const bound = { claimRef: { namespace: 'default', name: 'c', uid: 'uid-c' } };

interface Case {
  readonly claim?: JsonObject;
  /** Changes by other clients, one each second. */
  readonly seconds: readonly ((server: Server) => void)[];
  readonly timeout?: number;
}

async function bind({
  claim = aClaim('c'),
  seconds,
  timeout = 600,
}: Case): Promise<{ outcome: unknown; server: Server }> {
  const server = new Server();
  const objects = {
    persistentvolumeclaims: [claim],
    persistentvolumes: [aVolume('v', { spec: onNodes('a') })],
    storageclasses: [aClass('local'), aClass('gold', { provisioner: 'x' })],
  };
  const pod = aPod({ spec: using('c') });
  server.put('pods', pod);
  server.put('persistentvolumeclaims', claim);
  const todo = [...seconds];
  const clock = new ManualClock();
  clock.sleep = async (milliseconds) => {
    todo.shift()?.(server);
    clock.advance(milliseconds);
  };
  const snapshot = aSnapshot([aNode({ name: 'a', labels: { host: 'a' } })]);
  const handle: Handle = aHandle({ objects, client: server.client, clock, snapshot });
  const plugin = volumeBinding(volumeBindingArgs.parse({ bindTimeoutSeconds: timeout }), handle);
  const [state, info] = [new CycleState(), aPodInfo({ spec: using('c') })];
  plugin.preFilter?.(state, info, snapshot.nodes);
  for (const node of snapshot.nodes) plugin.filter?.(state, info, node);
  expect(plugin.reserve?.(state, info, 'a')).toBeUndefined();
  return { outcome: await plugin.preBind?.(state, info, 'a'), server };
}

const gold = aClaim('c', { spec: { storageClassName: 'gold' } });
const nothing = (): void => {};
const putClaim =
  (object: JsonObject) =>
  (server: Server): void => {
    server.put('persistentvolumeclaims', object);
  };
const putVolume =
  (spec: JsonObject) =>
  (server: Server): void => {
    server.put('persistentvolumes', aVolume('v', { spec }));
  };
const complete = putClaim(aBoundClaim('c', 'v', { annotations: SELECTED }));

test('binds an existing volume to the claim and waits until the claim is bound', async () => {
  const { outcome, server } = await bind({ seconds: [nothing, complete] });
  expect(outcome).toBeUndefined();
  expect(server.objects.get('persistentvolumes//v')).toMatchObject({
    metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
    spec: { claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'c', uid: 'uid-c' } },
  });
});

test('selects the node for a volume to provision and waits for the volume', async () => {
  const { outcome, server } = await bind({ claim: gold, seconds: [nothing, complete, putVolume(onNodes('a'))] });
  expect(outcome).toBeUndefined();
  expect(server.objects.get('persistentvolumeclaims/default/c')).toMatchObject({ metadata: { annotations: SELECTED } });
});

test.each<[string, Case, string]>([
  ['no controller binds the claim', { seconds: [], timeout: 3 }, 'context deadline exceeded'],
  ['the timeout is zero', { seconds: [complete], timeout: 0 }, 'context deadline exceeded'],
  [
    'the pod is deleted',
    { seconds: [(server) => server.delete('pods/default/pod')] },
    'pod does not exist any more: pod "pod" not found',
  ],
  [
    'the volume is deleted',
    { seconds: [(server) => server.delete('persistentvolumes//v')] },
    'failed to check binding: persistentvolumes "v" not found',
  ],
  [
    'the claim is deleted',
    { seconds: [(server) => server.delete('persistentvolumeclaims/default/c')] },
    'failed to check binding: persistentvolumeclaims "default/c" not found',
  ],
  ['the volume is unbound again', { seconds: [putVolume({})] }, 'ClaimRef got reset for pv "v"'],
  [
    'the node affinity of the volume changes',
    { seconds: [putVolume({ ...bound, ...onNodes('b') })] },
    'pv "v" node affinity doesn\'t match node "a": no matching NodeSelectorTerms',
  ],
  [
    'a claim to provision is deleted',
    { claim: gold, seconds: [(server) => server.delete('persistentvolumeclaims/default/c')] },
    'failed to check provisioning pvc: persistentvolumeclaims "default/c" not found',
  ],
  [
    'the selected node is removed from the claim',
    { claim: gold, seconds: [putClaim(gold)] },
    'provisioning failed for PVC "c"',
  ],
  [
    'a volume is provisioned on another node',
    { claim: gold, seconds: [complete, putVolume(onNodes('b'))] },
    'pv "v" node affinity doesn\'t match node "a": no matching NodeSelectorTerms',
  ],
])('fails the binding when %s', async (_, of, why) => {
  expect((await bind(of)).outcome).toEqual({ code: 'Error', reasons: [`binding volumes: ${why}`] });
});
