import type { Pod, PodCondition, PodStatus } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { asObject } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { findCondition, replaceCondition } from '#lib/machinery/conditions.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { podQOS } from '#lib/server/registry/kinds/core/pod/qos.ts';
import { allContainersCouldRestart, allContainersRestart } from '../container/all-containers-restart.ts';
import { commonOf } from '../container/helpers.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import { isConditionByKubelet } from '../status/conditions.ts';
import {
  allContainersRestartingCondition,
  containersReadyCondition,
  podInitializedCondition,
  podReadyCondition,
  podReadyToStartContainersCondition,
  podScheduledCondition,
} from '../status/generate.ts';
import { containerStatuses, type StartFailure, type StatusFacts } from './container-statuses.ts';
import { sortPodIPs } from './host-ips.ts';
import { getPhase } from './phase.ts';

/** The inputs of a pod's status. */
export interface PodStatusSources {
  /** The runtime's name in container IDs: `containerd`. */
  readonly runtimeName: string;
  readonly supportsRecursiveReadOnly: boolean;
  /** The configured addresses of the node (`--node-ip`). The family of the first one decides which pod address comes first. */
  readonly nodeIPs: readonly string[];
  /** The node's addresses in order. Empty while none is known. */
  readonly hostIPs: readonly string[];
  /** The last status that was set for the pod with this uid. */
  podStatus(uid: string): PodStatus | undefined;
  /** The reason why a container could not be started at the last attempt. */
  startFailure(uid: string, container: string): StartFailure | undefined;
  /** The reason why the pod must leave the node now, such as its deadline. */
  shouldEvict(pod: Pod): StartFailure | undefined;
  /** Adds the state of other components to the status: readiness of containers, health of devices. */
  complete(pod: Pod, status: PodStatus): void;
  /** The conditions of a resize that is in progress or pending. */
  resizeConditions(uid: string, isTerminal: boolean): readonly PodCondition[];
}

/**
 * The status of a pod from the runtime's status and the last reported one (upstream: generateAPIPodStatus). `isTerminal` means that no part
 * of the pod runs any more.
 */
export function generateAPIPodStatus(
  pod: Pod,
  runtime: RuntimePodStatus,
  isTerminal: boolean,
  sources: PodStatusSources,
): PodStatus {
  const uid = pod.metadata.uid ?? '';
  const old = sources.podStatus(uid) ?? pod.status;
  const status = convertedStatus(pod, runtime, old, sources);
  const both = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  const names = new Set((pod.spec.containers ?? []).map(({ name }) => name));
  const hasInitialized = runtime.activeContainerStatuses.some(({ name }) => names.has(name));
  setPhase(status, pod, old, getPhase(pod, { statuses: both, isTerminal, hasInitialized }));
  const eviction = sources.shouldEvict(pod);
  if (eviction !== undefined) Object.assign(status, { phase: 'Failed', ...eviction });
  // A pod that has a terminal phase in the API keeps it.
  if (isPodPhaseTerminal(pod.status.phase)) setOrDrop(status, 'phase', pod.status.phase);
  sources.complete(pod, status);
  status.conditions = conditionsOf(pod, status, old, { runtime, resize: sources.resizeConditions(uid, isTerminal) });
  setHostIPs(status, pod, sources);
  return status;
}

/** The status without phase and conditions (upstream: convertStatusToAPIStatus). */
function convertedStatus(pod: Pod, runtime: RuntimePodStatus, old: PodStatus, sources: PodStatusSources): PodStatus {
  const { spec } = pod;
  const facts: StatusFacts = {
    pod,
    runtime,
    runtimeName: sources.runtimeName,
    supportsRecursiveReadOnly: sources.supportsRecursiveReadOnly,
    isPodRestarting: allContainersRestart(pod, runtime, old),
    startFailure: (container) => sources.startFailure(pod.metadata.uid ?? '', container),
  };
  const podIPs = sortPodIPs(runtime.ips, sources.nodeIPs);
  const main = { containers: spec.containers ?? [], previous: old.containerStatuses ?? [], isInit: false };
  const init = { containers: spec.initContainers ?? [], previous: old.initContainerStatuses ?? [], isInit: true };
  const ephemeral = {
    containers: (spec.ephemeralContainers ?? []).map(commonOf),
    previous: old.ephemeralContainerStatuses ?? [],
    isInit: false,
  };
  const [inits, ephemerals] = [containerStatuses(facts, init), containerStatuses(facts, ephemeral)];
  return {
    ...(podIPs[0] === undefined ? {} : { podIP: podIPs[0], podIPs: podIPs.map((ip) => ({ ip })) }),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
    containerStatuses: containerStatuses(facts, main),
    qosClass: podQOS(spec),
    ...(ephemerals.length === 0 ? {} : { ephemeralContainerStatuses: ephemerals }),
    ...allocatedOf(pod),
  };
}

/** The pod-level resources: the requested ones, which are allocated (upstream: getEffectiveAllocatedResources). */
function allocatedOf(pod: Pod): Pick<PodStatus, 'allocatedResources' | 'resources'> {
  const asked = { ...pod, status: {} };
  const requests = asObject(podResources(asked, 'requests'));
  const limits = asObject(podResources(asked, 'limits'));
  const isEmpty = (list: object): boolean => Object.keys(list).length === 0;
  return {
    ...(isEmpty(requests) ? {} : { allocatedResources: requests }),
    resources: { ...(isEmpty(limits) ? {} : { limits }), ...(isEmpty(requests) ? {} : { requests }) },
  };
}

/** A terminal phase never changes. Reason and message stay unchanged until the phase changes. */
function setPhase(status: PodStatus, { status: api }: Pod, old: PodStatus, phase: string): void {
  const final = [phase, old.phase, api.phase].find(isPodPhaseTerminal);
  status.phase = final ?? phase;
  if (status.phase !== old.phase) return;
  setOrDrop(status, 'reason', nonEmpty(old.reason) ?? nonEmpty(api.reason));
  setOrDrop(status, 'message', nonEmpty(old.message) ?? nonEmpty(api.message));
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

function setOrDrop(status: PodStatus, field: 'phase' | 'reason' | 'message', value: string | undefined): void {
  if (value === undefined) delete status[field];
  else status[field] = value;
}

interface ConditionFacts {
  readonly runtime: RuntimePodStatus;
  readonly resize: readonly PodCondition[];
}

/** The conditions of other writers from the API, then the kubelet's own. */
function conditionsOf(pod: Pod, status: PodStatus, old: PodStatus, facts: ConditionFacts): PodCondition[] {
  const { phase } = status;
  const disruption = findCondition(old.conditions, 'DisruptionTarget');
  const foreign = (pod.status.conditions ?? []).filter(({ type }) => !isConditionByKubelet(type));
  const kept = disruption === undefined ? foreign : replaceCondition(foreign, disruption);
  const before = [...kept, ...facts.resize];
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return [
    ...before,
    podReadyToStartContainersCondition(pod, facts.runtime),
    podInitializedCondition(pod, old, statuses, phase),
    podReadyCondition(pod, before, statuses, phase),
    containersReadyCondition(pod, statuses, phase),
    podScheduledCondition(pod),
    ...(allContainersCouldRestart(pod) ? [allContainersRestartingCondition(pod, old, facts.runtime, phase)] : []),
  ];
}

/** Sets the node's addresses. A pod on the host's network also uses them as its own. */
function setHostIPs(status: PodStatus, pod: Pod, { hostIPs }: PodStatusSources): void {
  const [first, second] = hostIPs;
  if (first === undefined) return;
  status.hostIP = first;
  status.hostIPs = hostIPs.slice(0, 2).map((ip) => ({ ip }));
  if (pod.spec.hostNetwork !== true) return;
  if (status.podIP === undefined) {
    status.podIP = first;
    status.podIPs = [{ ip: first }];
  }
  const [only, ...more] = status.podIPs ?? [];
  if (second === undefined || only === undefined || more.length > 0 || ipFamily(only.ip) === ipFamily(second)) return;
  status.podIPs = [only, { ip: second }];
}
