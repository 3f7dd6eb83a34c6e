import type { Endpoint } from './endpoint.ts';
import { type ServicePort, usesClusterEndpoints, usesLocalEndpoints } from './service-port.ts';

/** The node name and zone to which endpoint hints refer. */
export interface NodePlace {
  readonly node: string;
  /** '' if the Node has no zone label. */
  readonly zone: string;
}

/** The endpoints of a port that a node uses. */
export interface CategorizedEndpoints {
  /** The endpoints for the policy Cluster. Empty if the port does not use it. */
  readonly cluster: readonly Endpoint[];
  /** The endpoints for the policy Local. Empty if the port does not use it. */
  readonly local: readonly Endpoint[];
  /** The endpoints for both policies, each once. */
  readonly reachable: readonly Endpoint[];
  /** Whether any node has a usable endpoint. */
  readonly hasAny: boolean;
}

type Mode = '' | 'PreferSameZone' | 'PreferSameNode';

const isLast = ({ isServing, isTerminating }: Endpoint): boolean => isServing && isTerminating;

/** The ready endpoints for each policy. If none is ready, the terminating endpoints that still serve (upstream: CategorizeEndpoints). */
export function categorizeEndpoints(
  endpoints: readonly Endpoint[],
  port: ServicePort,
  place: NodePlace,
): CategorizedEndpoints {
  const usesCluster = usesClusterEndpoints(port);
  const mode = usesCluster ? modeOf(endpoints, place) : '';
  const cluster = usesCluster ? clusterOf(endpoints, mode, place) : [];
  if (!usesLocalEndpoints(port)) return { cluster, local: [], reachable: cluster, hasAny: cluster.length > 0 };
  const local = localOf(endpoints);
  const hasAny = cluster.length > 0 || endpoints.some((endpoint) => endpoint.isReady || isLast(endpoint));
  const reachable = usesCluster ? both(cluster, local) : local;
  return { cluster, local, reachable, hasAny };
}

function clusterOf(endpoints: readonly Endpoint[], mode: Mode, place: NodePlace): readonly Endpoint[] {
  const ready = endpoints.filter((endpoint) => endpoint.isReady && isHinted(endpoint, mode, place));
  return ready.length > 0 ? ready : endpoints.filter(isLast);
}

function localOf(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const local = endpoints.filter(({ isLocal }) => isLocal);
  const ready = local.filter(({ isReady }) => isReady);
  return ready.length > 0 ? ready : local.filter(isLast);
}

const both = (cluster: readonly Endpoint[], local: readonly Endpoint[]): readonly Endpoint[] => {
  const known = new Set(cluster.map(({ text }) => text));
  const more = local.filter(({ text }) => !known.has(text));
  return more.length === 0 ? cluster : [...cluster, ...more];
};

/** Hints only count if every ready endpoint has one and at least one of them refers to this node or zone. */
function modeOf(endpoints: readonly Endpoint[], { node, zone }: NodePlace): Mode {
  const ready = endpoints.filter(({ isReady }) => isReady);
  if (ready.length === 0) return '';
  const counts = (hints: (endpoint: Endpoint) => readonly string[], wanted: string): boolean =>
    ready.every((endpoint) => hints(endpoint).length > 0) && ready.some((endpoint) => hints(endpoint).includes(wanted));
  if (counts(({ nodeHints }) => nodeHints, node)) return 'PreferSameNode';
  return counts(({ zoneHints }) => zoneHints, zone) ? 'PreferSameZone' : '';
}

function isHinted({ nodeHints, zoneHints }: Endpoint, mode: Mode, { node, zone }: NodePlace): boolean {
  switch (mode) {
    case '':
      return true;
    case 'PreferSameNode':
      return nodeHints.includes(node);
    case 'PreferSameZone':
      return zoneHints.includes(zone);
    default:
      return mode;
  }
}
