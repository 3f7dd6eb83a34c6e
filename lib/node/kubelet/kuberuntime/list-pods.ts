import {
  type Container,
  ContainerState,
  type PodSandbox,
  type PodSandboxMetadata,
  PodSandboxState,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import { millisecondsOf, sandboxContainer } from '../container/helpers.ts';
import type { RunningPod, RuntimeContainer, ContainerState as State } from '../container/runtime.ts';
import { containerInfoFromAnnotations, containerInfoFromLabels } from './container-info.ts';
import { POD_UID_LABEL } from './labels.ts';

/** The filter of a listing. */
export interface ListOptions {
  /** Absent for all pods. */
  readonly podUID?: string;
  /** Whether to list only ready sandboxes and running containers. */
  readonly onlyRunning?: boolean;
}

/** Lists pods with their sandboxes and containers, newest first (upstream: getPods). */
export async function listPods(runtime: RuntimeService, options: ListOptions): Promise<RunningPod[]> {
  const pods = new Map<string, Draft>();
  const [sandboxes, containers] = await Promise.all([
    listSandboxes(runtime, options),
    listContainers(runtime, options),
  ]);
  for (const sandbox of sandboxes.sort(bySandbox)) {
    if (sandbox.metadata === undefined) continue;
    const pod = draftOf(pods, sandbox.metadata);
    pod.sandboxes.push(sandboxContainer(sandbox));
    pod.createdAt = millisecondsOf(sandbox.createdAt);
  }
  for (const container of containers.sort(byCreation)) {
    if (container.metadata === undefined || container.image === undefined) continue;
    const { podUID: uid, podName: name, podNamespace: namespace } = containerInfoFromLabels(container.labels);
    draftOf(pods, { uid, name, namespace }).containers.push(runtimeContainer(container));
  }
  return [...pods.values()];
}

type Draft = RunningPod & {
  readonly containers: RuntimeContainer[];
  readonly sandboxes: RuntimeContainer[];
  createdAt: number;
};

function draftOf(
  pods: Map<string, Draft>,
  { uid, name, namespace }: Pick<PodSandboxMetadata, 'uid' | 'name' | 'namespace'>,
): Draft {
  const pod = pods.get(uid) ?? { uid, name, namespace, createdAt: 0, containers: [], sandboxes: [] };
  pods.set(uid, pod);
  return pod;
}

/** The sandboxes in the runtime. */
export async function listSandboxes(runtime: RuntimeService, options: ListOptions): Promise<PodSandbox[]> {
  const state = options.onlyRunning === true ? { state: { state: PodSandboxState.SANDBOX_READY } } : {};
  const { items } = await runtime.listPodSandbox({ filter: { ...state, labelSelector: labelsOf(options) } });
  return items;
}

/** The containers in the runtime. */
export async function listContainers(runtime: RuntimeService, options: ListOptions): Promise<Container[]> {
  const state = options.onlyRunning === true ? { state: { state: ContainerState.CONTAINER_RUNNING } } : {};
  const { containers } = await runtime.listContainers({ filter: { ...state, labelSelector: labelsOf(options) } });
  return containers;
}

const labelsOf = ({ podUID }: ListOptions): Record<string, string> =>
  podUID === undefined ? {} : { [POD_UID_LABEL]: podUID };

const runtimeContainer = ({ id, metadata, image, ...rest }: Container): RuntimeContainer => ({
  id,
  name: metadata?.name ?? '',
  image: image?.image ?? '',
  imageID: rest.imageId === '' ? rest.imageRef : rest.imageId,
  imageRef: rest.imageRef,
  imageRuntimeHandler: image?.runtimeHandler ?? '',
  hash: containerInfoFromAnnotations(rest.annotations).hash,
  state: containerState(rest.state),
  podSandboxID: rest.podSandboxId,
  createdAt: millisecondsOf(rest.createdAt),
});

/** The state of a container for CRI's number. */
export const containerState = (state: ContainerState): State => STATES.get(state) ?? 'unknown';

const STATES: ReadonlyMap<ContainerState, State> = new Map([
  [ContainerState.CONTAINER_CREATED, 'created'],
  [ContainerState.CONTAINER_RUNNING, 'running'],
  [ContainerState.CONTAINER_EXITED, 'exited'],
]);

type Created = { readonly createdAt: bigint; readonly id: string };

const byCreation = (a: Created, b: Created): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};

const bySandbox = (a: PodSandbox, b: PodSandbox): number =>
  a.metadata === undefined || b.metadata === undefined || a.metadata.attempt === b.metadata.attempt
    ? byCreation(a, b)
    : b.metadata.attempt - a.metadata.attempt;
