import { expect, test } from 'vitest';
import type { Pod, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { MemoryCheckpoints } from '../checkpointmanager/testing.ts';
import { aPod } from '../testing/pods.ts';
import { allocationOf } from './allocated-pod.ts';
import { podResizesAdmitHandler } from './pod-resizes.ts';
import { ALLOCATED_PODS_STATE, PodResourceState } from './pod-resource-state.ts';

const all = (cpu: string, memory: string): ResourceRequirements => ({
  requests: { cpu, memory },
  limits: { cpu, memory },
});
const aResized = (resources: ResourceRequirements, restart = false): Pod =>
  aPod('a', {
    spec: {
      containers: [
        {
          name: 'app',
          image: 'busybox',
          resources,
          ...(restart ? { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] } : {}),
        },
      ],
    },
  });

const CPU = 'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"';
const MEMORY = 'Resize is infeasible for Guaranteed Pods alongside Memory Manager policy "Static"';
const SWAP = 'In-place resize of containers with swap is not supported.';
const burstable = (memory: string): ResourceRequirements => ({ requests: { memory } });

test.each<[string, Pod, Pod, { cpu?: string; memory?: string; swap?: boolean; operation?: 'add' }, string]>([
  ['any resource on a node without policies', aResized(all('1', '1Gi')), aResized(all('2', '2Gi')), {}, ''],
  ['CPU with exclusive CPUs', aResized(all('1', '1Gi')), aResized(all('2', '1Gi')), { cpu: 'static' }, CPU],
  ['memory with exclusive CPUs', aResized(all('1', '1Gi')), aResized(all('1', '2Gi')), { cpu: 'static' }, ''],
  ['memory with exclusive memory', aResized(all('1', '1Gi')), aResized(all('1', '2Gi')), { memory: 'Static' }, MEMORY],
  ['a new pod', aResized(all('1', '1Gi')), aResized(all('2', '1Gi')), { cpu: 'static', operation: 'add' }, ''],
  ['a Burstable pod', aResized(burstable('1Gi')), aResized(burstable('2Gi')), { memory: 'Static' }, ''],
  ['memory of a container that swaps', aResized(burstable('1Gi')), aResized(burstable('2Gi')), { swap: true }, SWAP],
  [
    'a container that swaps and restarts',
    aResized(burstable('1Gi'), true),
    aResized(burstable('2Gi'), true),
    { swap: true },
    '',
  ],
])(
  'checks a resize of %s',
  async (_, before, after, { cpu = 'none', memory = 'None', swap = false, operation }, refusal) => {
    const allocated = await PodResourceState.restore(new MemoryCheckpoints(), ALLOCATED_PODS_STATE, '/');
    await allocated.setPodResources('uid-a', allocationOf(before));
    const handler = podResizesAdmitHandler({
      allocated,
      cpuManagerPolicy: cpu,
      memoryManagerPolicy: memory,
      hasSwap: () => swap,
    });
    const verdict = await handler.admit(after, [], operation ?? 'resize');
    expect(verdict).toEqual(
      refusal === '' ? { admit: true } : { admit: false, reason: 'Infeasible', message: refusal },
    );
  },
);
