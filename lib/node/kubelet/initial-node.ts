import type { Node, Taint } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { type NodeFacts, setNodeStatus } from './nodestatus/set-node-status.ts';

/** Labels that the kubelet keeps up to date on an existing Node. Upstream has the same list. */
const DEFAULT_LABELS = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
];
const ATTACH_DETACH = 'volumes.kubernetes.io/controller-managed-attach-detach';

/** The settings with which a Node is registered. */
export interface Registration {
  /** The labels from `--node-labels`, which override the defaults. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Empty without a cloud provider. */
  readonly providerID: string;
}

/** The Node that a host registers. */
export function initialNode(facts: NodeFacts, { labels, taints, providerID }: Registration, now: Date): Node {
  const { nodeName: name, hostname } = facts.address;
  const { operatingSystem: os, architecture: arch } = facts.versions;
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': hostname,
        'kubernetes.io/os': os,
        'kubernetes.io/arch': arch,
        'beta.kubernetes.io/os': os,
        'beta.kubernetes.io/arch': arch,
        ...labels,
      },
      annotations: { [ATTACH_DETACH]: 'true' },
    },
    spec: { ...(providerID === '' ? {} : { providerID }), ...(taints.length === 0 ? {} : { taints: [...taints] }) },
    status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: noInfo() },
  };
  setNodeStatus(node, facts, now);
  return node;
}

/** The system info of a machine that has reported none. */
export const noInfo = (): Node['status']['nodeInfo'] => ({
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '',
  osImage: '',
  containerRuntimeVersion: '',
  kubeletVersion: '',
  kubeProxyVersion: '',
  operatingSystem: '',
  architecture: '',
});

/** The default labels that are missing from a registered Node or have another value there (upstream: updateDefaultLabels). */
export function changedDefaultLabels(initial: Node, existing: Node): Record<string, string> {
  const wrong = DEFAULT_LABELS.flatMap((label) => {
    const wanted = ownField(initial.metadata.labels, label);
    return wanted === undefined || ownField(existing.metadata.labels, label) === wanted ? [] : [[label, wanted]];
  });
  return Object.fromEntries(wrong);
}
