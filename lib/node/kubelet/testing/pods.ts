import type { Pod } from '#lib/api/types/core.v1.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../container/runtime.ts';

/** A pod on node n1 in the namespace default with one container, `app`. `overrides` replace fields of metadata, spec and status. */
export const aPod = (
  name: string,
  overrides: { metadata?: Partial<Pod['metadata']>; spec?: Partial<Pod['spec']>; status?: Partial<Pod['status']> } = {},
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, generation: 1, ...overrides.metadata },
  spec: {
    nodeName: 'n1',
    restartPolicy: 'Always',
    containers: [{ name: 'app', image: 'busybox', resources: {} }],
    ...overrides.spec,
  },
  status: { phase: 'Pending', ...overrides.status },
});

/** The runtime's status of a pod. */
export const runtimeStatus = (
  pod: Pod,
  containerStatuses: readonly RuntimeContainerStatus[] = [],
  overrides: Partial<RuntimePodStatus> = {},
): RuntimePodStatus => ({
  uid: pod.metadata.uid ?? '',
  name: pod.metadata.name ?? '',
  namespace: pod.metadata.namespace ?? '',
  ips: [],
  containerStatuses,
  activeContainerStatuses: containerStatuses,
  sandboxStatuses: [],
  timestamp: 0,
  ...overrides,
});

/** A running container `app` that started at second 10. */
export const aContainer = (overrides: Partial<RuntimeContainerStatus> = {}): RuntimeContainerStatus => ({
  id: 'c1',
  name: 'app',
  state: 'running',
  createdAt: 5000,
  startedAt: 10_000,
  finishedAt: 0,
  exitCode: 0,
  image: 'busybox:latest',
  imageID: 'sha256:1',
  imageRef: 'busybox@sha256:1',
  imageRuntimeHandler: '',
  hash: '',
  restartCount: 0,
  reason: '',
  message: '',
  mounts: [],
  ...overrides,
});
