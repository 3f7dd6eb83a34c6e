import { expect, test } from 'vitest';
import { expose } from '#lib/machinery/metrics/text.ts';
import type { RunningPod, RuntimeContainer } from '../container/runtime.ts';
import { NodeMetrics } from './node-metrics.ts';

const container = (state: RuntimeContainer['state']): RuntimeContainer => ({
  id: '',
  name: '',
  image: '',
  imageID: '',
  imageRef: '',
  imageRuntimeHandler: '',
  hash: '',
  state,
  podSandboxID: '',
  createdAt: 0,
});

const pod = (
  sandboxes: readonly RuntimeContainer['state'][],
  containers: readonly RuntimeContainer['state'][],
): RunningPod => ({
  uid: '',
  name: '',
  namespace: '',
  createdAt: 0,
  containers: containers.map(container),
  sandboxes: sandboxes.map(container),
});

const linesOf = async (pods: () => Promise<RunningPod[]>, onFault: (error: unknown) => void): Promise<string[]> =>
  (await expose([new NodeMetrics({ node: 'n1', runtime: { pods }, onFault })]))
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '');

test('counts running pods by their sandbox, and containers by state', async () => {
  const pods = async () => [
    pod(['exited', 'running'], ['running', 'exited']),
    pod(['running', 'running'], ['running']),
    pod(['exited'], ['exited']),
  ];
  expect(await linesOf(pods, (error) => expect.fail(String(error)))).toEqual([
    'kubelet_node_name{node="n1"} 1',
    'kubelet_running_containers{container_state="running"} 2',
    'kubelet_running_containers{container_state="exited"} 2',
    'kubelet_running_pods 2',
  ]);
});

test("reports only the node's name without the runtime", async () => {
  const faults: unknown[] = [];
  const pods = () => Promise.reject(new Error('it is down'));
  expect(await linesOf(pods, (error) => void faults.push(error))).toEqual(['kubelet_node_name{node="n1"} 1']);
  expect(faults.length).toBe(1);
});
