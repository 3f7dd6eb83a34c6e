import { afterAll, beforeAll, expect } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Kubelet, startKubelet } from '#test/support/kubelet/kubelet.ts';
import { TestNode } from '#test/support/kubelet/node.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type Cluster, useCluster } from './cluster.ts';

/** A cluster with one node, `n1`, whose kubelet belongs to the test. */
export interface NodeCluster extends Cluster {
  readonly kubelet: Kubelet;
  readonly node: TestNode;
  readonly request: Requester;
}

type Pods = Readonly<Record<string, JsonObject>>;

/** Creates pods with the given specs, by name, in the namespace `default`. Waits until they run. */
export function useNode(pods: Pods | (() => Pods)): () => NodeCluster {
  let kubelet: Kubelet;
  let node: TestNode;
  const cluster = useCluster(async () => {
    kubelet = await startKubelet();
    node = new TestNode('n1', kubelet);
    return { scheduler: false, kubelet: kubelet.options, reconcilers: [node.reconciler] };
  });
  const all = (): NodeCluster => ({ ...cluster(), kubelet, node, request: requester(cluster().server) });
  beforeAll(async () => {
    const { server, request } = all();
    await node.join(server.client);
    const path = '/api/v1/namespaces/default';
    await eventually(async () => expect((await request('GET', `${path}/serviceaccounts/default`)).status).toBe(200));
    for (const [name, spec] of Object.entries(typeof pods === 'function' ? pods() : pods)) {
      const pod = { metadata: { name, labels: { app: name } }, spec: { nodeName: 'n1', ...spec } };
      const { status, body } = await request('POST', `${path}/pods`, pod);
      if (status !== 201) throw new Error(String(body['message']));
      await eventually(
        async () => isRunning((await request('GET', `${path}/pods/${name}`)).body),
        () => `pod ${name}`,
      );
    }
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await kubelet.close();
  });
  return all;
}

const isRunning = ({ status }: JsonObject): boolean => JSON.stringify(status).includes('"phase":"Running"');

/** A container without its own process. */
export const idle = (name: string): JsonObject => ({ name, image: 'i' });

/** Both transports that kubectl uses for streams. */
export const TRANSPORTS = [
  { title: 'a WebSocket', upgrade: 'websocket', env: environment('true') },
  { title: 'SPDY', upgrade: 'SPDY/3.1', env: environment('false') },
] as const;

function environment(byWebSocket: string): Record<string, string> {
  return { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: byWebSocket, KUBECTL_PORT_FORWARD_WEBSOCKETS: byWebSocket };
}
