import type { Pod } from '#lib/api/types/core.v1.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { type IpAddress, ipAddress } from './address.ts';
import type { PolicyMetadata, PortMatch } from './policy.ts';

/** The fields of a pod that policies read. */
export type PolicyPod = Pick<Pod, 'spec' | 'status'> & { readonly metadata: PolicyMetadata };

/** A pod that has its own address. Excludes terminated pods and pods in the host network. */
export interface NetworkPod {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly pod: PolicyPod;
  /** At most one address of each family. */
  readonly addresses: readonly IpAddress[];
  /** The numbers of the pod's named ports, by `portKey`. */
  readonly ports: ReadonlyMap<string, number>;
}

type NamedPort = Extract<PortMatch, { readonly name: string }>;

/** The key of a named port. Equal named ports have equal keys. */
export const portKey = ({ protocol, name }: NamedPort): string => `${protocol} ${name}`;

/** The pod for policy evaluation. Undefined for a pod that policies ignore. */
export function networkPod(pod: PolicyPod): NetworkPod | undefined {
  const { metadata, spec, status } = pod;
  if (spec.hostNetwork === true || isPodTerminal(pod)) return undefined;
  const texts = status.podIPs?.map(({ ip }) => ip) ?? (status.podIP === undefined ? [] : [status.podIP]);
  const addresses = texts.flatMap((text) => ipAddress(text) ?? []);
  const { namespace = '', name = '' } = metadata;
  return { namespace, name, node: spec.nodeName ?? '', pod, addresses, ports: namedPorts(pod) };
}

/** The pod's named ports. The first of several ports with the same name and protocol counts, as for Services. */
function namedPorts({ spec }: PolicyPod): ReadonlyMap<string, number> {
  const restarted = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports = new Map<string, number>();
  for (const { ports: all = [] } of [...(spec.containers ?? []), ...restarted])
    for (const { name = '', protocol = '', containerPort } of all) {
      const key = `${protocol} ${name}`;
      if (name !== '' && !ports.has(key)) ports.set(key, containerPort);
    }
  return ports;
}

/** The number of a named port on a pod. Undefined if the pod has no port with that name and protocol. */
export const namedPortOn = ({ ports }: NetworkPod, port: NamedPort): number | undefined => ports.get(portKey(port));
