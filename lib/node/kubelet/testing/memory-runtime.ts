import type { Pod } from '#lib/api/types/core.v1.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { NamespaceMode, PodSandboxState, type PodSandboxStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { runningPodOf } from '../container/helpers.ts';
import type { RunningPod, Runtime, RuntimeContainerStatus, RuntimePodStatus } from '../container/runtime.ts';
import type { PodSyncResult } from '../container/sync-result.ts';
import { aContainer, aPod, runtimeStatus } from './pods.ts';

/** A runtime that starts and stops every container of a pod immediately. */
export class MemoryRuntime implements Runtime {
  /** The calls in order. */
  readonly calls: string[] = [];
  readonly #pods = new Map<string, RuntimePodStatus>();
  /** If set, the result of syncs, which then start no containers. */
  failure: PodSyncResult | undefined;
  /** Whether the resources of pods differ from their allocation. */
  isResizing = false;

  /** Adds a running pod. */
  add(pod: Pod): void {
    const containers = (pod.spec.containers ?? []).map(({ name }) => aContainer({ id: `${uidOf(pod)}-${name}`, name }));
    const ips = pod.spec.hostNetwork === true ? [] : ['10.0.0.2'];
    this.#pods.set(uidOf(pod), runtimeStatus(pod, containers, { ips, sandboxStatuses: [sandboxOf(pod)] }));
  }

  /** Ends the running containers of a pod with an exit code. */
  end(uid: string, exitCode: number): void {
    const status = this.#pods.get(uid);
    if (status === undefined) return;
    const containerStatuses = status.containerStatuses.map(
      (one): RuntimeContainerStatus =>
        one.state === 'running' ? { ...one, state: 'exited', exitCode, reason: 'Error', finishedAt: 20_000 } : one,
    );
    const sandboxStatuses = status.sandboxStatuses.map((one) => ({ ...one, state: PodSandboxState.SANDBOX_NOTREADY }));
    this.#pods.set(uid, { ...status, containerStatuses, activeContainerStatuses: containerStatuses, sandboxStatuses });
  }

  status(uid: string): RuntimePodStatus {
    return this.#pods.get(uid) ?? runtimeStatus(aPod('', { metadata: { uid } }));
  }

  async pods(all: boolean, uid?: string): Promise<RunningPod[]> {
    const asked = [...this.#pods.values()].filter((pod) => uid === undefined || pod.uid === uid);
    if (all) return asked.map(everyContainerOf);
    return asked.map(runningPodOf).filter(({ containers }) => containers.length > 0);
  }

  async podStatus(uid: string): Promise<RuntimePodStatus> {
    return this.status(uid);
  }

  async syncPod(pod: Pod): Promise<PodSyncResult> {
    this.calls.push(`sync ${nameOf(pod)}`);
    if (this.failure !== undefined) return this.failure;
    const isNew = !this.#pods.has(uidOf(pod));
    if (isNew) this.add(pod);
    return { results: isNew ? [{ action: 'StartContainer', target: 'app' }] : [] };
  }

  async killPod(_pod: Pod | undefined, { uid, name }: RunningPod, gracePeriod?: number): Promise<void> {
    this.calls.push(`kill ${name} ${gracePeriod}`);
    this.end(uid, 137);
  }

  async garbageCollect(): Promise<void> {
    this.calls.push('collect garbage');
  }

  async deleteContainer(id: string): Promise<void> {
    this.calls.push(`delete ${id}`);
  }

  isPodResizeInProgress(): boolean {
    return this.isResizing;
  }

  async updateActuatedPodLevelResources(pod: Pod): Promise<void> {
    this.calls.push(`actuate ${nameOf(pod)}`);
  }

  async runInContainer(): ReturnType<Runtime['runInContainer']> {
    return { exitCode: 0, stdout: new Uint8Array(), stderr: new Uint8Array() };
  }
}

const everyContainerOf = (status: RuntimePodStatus): RunningPod => ({
  ...runningPodOf(status),
  containers: status.containerStatuses.map((one) => ({ ...one, podSandboxID: '' })),
});

const sandboxOf = (pod: Pod): PodSandboxStatus => ({
  id: `sandbox-${uidOf(pod)}`,
  metadata: { name: nameOf(pod), uid: uidOf(pod), namespace: namespaceOf(pod), attempt: 0 },
  state: PodSandboxState.SANDBOX_READY,
  createdAt: 0n,
  network: { ip: '10.0.0.2', additionalIps: [] },
  linux: {
    namespaces: {
      options: {
        network: pod.spec.hostNetwork === true ? NamespaceMode.NODE : NamespaceMode.POD,
        pid: NamespaceMode.CONTAINER,
        ipc: NamespaceMode.POD,
        targetId: '',
        usernsOptions: undefined,
      },
    },
  },
  labels: {},
  annotations: {},
  runtimeHandler: '',
});
