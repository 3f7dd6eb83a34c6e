import type { Namespace, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { NetworkPolicy, NetworkPolicySpec } from '#lib/api/types/networking.v1.ts';

/** The properties of a pod that policies read. */
export interface PodFacts {
  readonly labels?: Record<string, string>;
  readonly addresses: readonly string[];
  /** The named ports: `{ http: ['TCP', 80] }`. */
  readonly ports?: Readonly<Record<string, readonly [protocol: string, port: number]>>;
  readonly node?: string;
  readonly hostAddresses?: readonly string[];
  readonly hostNetwork?: true;
  readonly phase?: string;
}

const ips = (addresses: readonly string[]): { ip: string }[] => addresses.map((ip) => ({ ip }));

/** A running pod with the key `namespace/name`. */
export function aPod(key: string, facts: PodFacts): Pod {
  const [namespace = '', name = ''] = key.split('/');
  const {
    labels = {},
    addresses,
    ports = {},
    node = 'node',
    hostAddresses = [],
    hostNetwork,
    phase = 'Running',
  } = facts;
  const containerPorts = Object.entries(ports).map(([port, [protocol, containerPort]]) => ({
    name: port,
    protocol,
    containerPort,
  }));
  const status: PodStatus = { phase, podIPs: ips(addresses), hostIPs: ips(hostAddresses) };
  return {
    metadata: { namespace, name, labels },
    spec: {
      containers: [{ name: 'main', image: 'image', ports: containerPorts, resources: {} }],
      nodeName: node,
      ...(hostNetwork && { hostNetwork }),
    },
    status,
  };
}

/** A namespace with the label that the API server adds, and others. */
export const aNamespace = (name: string, labels: Record<string, string> = {}): Namespace => ({
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name, ...labels } },
  spec: {},
  status: {},
});

/** A policy with the key `namespace/name`. Without a selector it selects all pods of its namespace. */
export function aPolicy(key: string, spec: Partial<NetworkPolicySpec>): NetworkPolicy {
  const [namespace = '', name = ''] = key.split('/');
  return { metadata: { namespace, name }, spec: { podSelector: {}, ...spec } };
}
