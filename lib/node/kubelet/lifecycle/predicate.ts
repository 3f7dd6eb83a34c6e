import type { Container, Node, Pod } from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import {
  requiredNodeAffinity,
  selectableNode,
} from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import { findUntoleratedTaint } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { newNodeInfo } from '#lib/scheduler/framework/new-node-info.ts';
import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import { fitsPorts, PORT_CONFLICT } from '#lib/scheduler/framework/plugins/nodeports/node-ports.ts';
import {
  type InsufficientResource,
  insufficientResources,
} from '#lib/scheduler/framework/plugins/noderesources/insufficient-resources.ts';
import { podInfoOf } from '#lib/scheduler/framework/pod-info-of.ts';
import { isStaticPod } from '../types/pod-update.ts';
import type { PodAdmitHandler, PodAdmitResult } from './pod-admit.ts';

/** A failed scheduler predicate, by the name of its plugin. */
export interface PredicateFailure {
  readonly predicate: string;
  readonly description: string;
}

/** The reason why a pod does not fit: too little of a resource, or a failed predicate. */
export type AdmissionFailure = InsufficientResource | PredicateFailure;

/** The ports of the scheduler's predicates on the node. */
export interface PredicatePorts {
  /** The Node. With `fresh` it is read from the API server. */
  node(fresh: boolean): Promise<Node>;
  /** Raises the node's allocatable to the resources that plugins allocated to the pod. Throws if they allocated less than it requests. */
  updatePluginResources(node: Node, pod: Pod): Node;
  /** Makes room for a critical pod. Returns the remaining failures. Throws if there is no room. */
  handleFailure(pod: Pod, failures: readonly AdmissionFailure[]): Promise<readonly AdmissionFailure[]>;
}

const OS = 'linux';
const OS_LABEL = 'kubernetes.io/os';
const AFFINITY = "node(s) didn't match Pod's node affinity/selector";
const refused = (reason: string, message: string): PodAdmitResult => ({ admit: false, reason, message });

/** Whether the pod fits the node according to the scheduler's predicates (upstream: lifecycle.NewPredicateAdmitHandler). */
export const predicateAdmitHandler = (ports: PredicatePorts): PodAdmitHandler => ({
  async admit(pod, others) {
    const node = await ports.node(false).catch(() => undefined);
    if (node === undefined) return refused('InvalidNodeInfo', 'Kubelet cannot get node info.');
    return refusalByNode(pod, node) ?? admitByResources(ports, pod, node, others);
  },
});

/** Rejections that no eviction can resolve. */
function refusalByNode({ metadata, spec }: Pod, { status }: Node): PodAdmitResult | undefined {
  const wanted = ownField(metadata.labels, OS_LABEL);
  if (wanted !== undefined && wanted !== OS)
    return refused(
      'PodOSSelectorNodeLabelDoesNotMatch',
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    );
  if (spec.os !== undefined && spec.os.name !== OS)
    return refused('PodOSNotSupported', "Failed to admit pod as the OS field doesn't match node OS");
  if (spec.securityContext?.supplementalGroupsPolicy === 'Strict' && status.features?.supplementalGroupsPolicy !== true)
    return refused(
      'SupplementalGroupsPolicyNotSupported',
      'SupplementalGroupsPolicy=Strict is not supported in this node',
    );
  return undefined;
}

async function admitByResources(
  ports: PredicatePorts,
  pod: Pod,
  node: Node,
  others: readonly Pod[],
): Promise<PodAdmitResult> {
  let offered: Node;
  try {
    offered = ports.updatePluginResources(node, pod);
  } catch (error) {
    const message = `Update plugin resources failed due to ${messageOfError(error)}, which is unexpected.`;
    return refused('UnexpectedAdmissionError', message);
  }
  const failures = await generalFailures(ports, pod, offered, others);
  if (failures.length === 0) return { admit: true };
  try {
    const left = await ports.handleFailure(pod, failures);
    return left[0] === undefined ? { admit: true } : refusalOf(left[0]);
  } catch (error) {
    const message = `Unexpected error while attempting to recover from admission failure: ${messageOfError(error)}`;
    return refused('UnexpectedAdmissionError', message);
  }
}

/** The node's labels may just have changed: a pod that only fails because of them is checked again with the Node from the API. */
async function generalFailures(
  ports: PredicatePorts,
  pod: Pod,
  node: Node,
  others: readonly Pod[],
): Promise<readonly AdmissionFailure[]> {
  const failures = generalFilter(pod, node, others);
  const isAffinityAlone = failures.every((one) => 'predicate' in one && one.description === AFFINITY);
  if (failures.length === 0 || !isAffinityAlone) return failures;
  const fresh = await ports.node(true).catch(() => undefined);
  return fresh === undefined ? failures : generalFilter(pod, fresh, others);
}

/** The scheduler checks that a kubelet repeats, in upstream's order. */
function generalFilter(pod: Pod, node: Node, others: readonly Pod[]): AdmissionFailure[] {
  const info = newNodeInfo(node, others.map(podInfoOf));
  const { requests, hostPorts } = podInfoOf(withoutMissingResources(pod, info));
  const failures: AdmissionFailure[] = insufficientResources(requests, info);
  if (!requiredNodeAffinity(pod.spec).matches(selectableNode(node)))
    failures.push({ predicate: 'NodeAffinity', description: AFFINITY });
  if (nodeNameOf(pod) !== '' && pod.spec.nodeName !== nameOf(node))
    failures.push({ predicate: 'NodeName', description: "node(s) didn't match the requested node name" });
  if (!fitsPorts(hostPorts, info)) failures.push({ predicate: 'NodePorts', description: PORT_CONFLICT });
  const isUntolerated = findUntoleratedTaint(node, pod.spec.tolerations ?? [], ['NoExecute']) !== undefined;
  if (!isStaticPod(pod) && isUntolerated)
    failures.push({ predicate: 'TaintToleration', description: "node(s) had taints that the pod didn't tolerate" });
  return failures;
}

/** Ignores extended resources that the node does not have. They belong to the cluster or to dynamic resource allocation. */
function withoutMissingResources(pod: Pod, { allocatable }: NodeInfo): Pod {
  const byClaims = pod.status?.extendedResourceClaimStatus?.requestMappings ?? [];
  const isCounted = (container: string, name: string): boolean =>
    !isExtendedResource(name) ||
    (allocatable.scalar.has(name) &&
      !byClaims.some((one) => one.resourceName === name && one.containerName === container));
  const filtered = (container: Container): Container => {
    const requests = Object.entries(container.resources?.requests ?? {});
    const counted = requests.filter(([name]) => isCounted(container.name, name));
    return { ...container, resources: { ...container.resources, requests: Object.fromEntries(counted) } };
  };
  const { containers, initContainers = [] } = pod.spec;
  return {
    ...pod,
    spec: { ...pod.spec, containers: (containers ?? []).map(filtered), initContainers: initContainers.map(filtered) },
  };
}

function refusalOf(failure: AdmissionFailure): PodAdmitResult {
  if ('predicate' in failure)
    return refused(failure.predicate, `Predicate ${failure.predicate} failed: ${failure.description}`);
  const { name, requested, used, capacity } = failure;
  const amounts = `requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return refused(`OutOf${name}`, `Node didn't have enough resource: ${name}, ${amounts}`);
}
