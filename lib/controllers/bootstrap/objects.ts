import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ipFamily, parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { isLoopback, isUnspecified } from '#lib/machinery/net/scope.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { RequestHeaders } from '#lib/server/authentication/request-header.ts';
import type { BootstrapObject } from './wanted.ts';

/** The address of the server. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const core = (resource: string): GroupVersionResource => ({ group: '', version: 'v1', resource });
const SLICES: GroupVersionResource = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const PRIORITY_CLASSES: GroupVersionResource = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  resource: 'priorityclasses',
};
/** The ConfigMap with the certificates of the client authority, and its key for them. */
export const CLUSTER_AUTHENTICATION = {
  namespace: 'kube-system',
  name: 'extension-apiserver-authentication',
  key: 'client-ca-file',
};
/** Upstream's default service range. */
const SERVICE_CIDR = '10.96.0.0/16';
/** The address of the Service `kubernetes`. */
export const SERVICE_IP = '10.96.0.1';
const MIRRORING = 'endpointslice.kubernetes.io/skip-mirror';

/** The authorities that other servers use to verify clients of this one. */
export interface ClusterTrust {
  /** The PEM certificates of the client authority. If empty, none are published. */
  readonly clientAuthority: string;
  /** The authenticating proxies that this server trusts, and the PEM certificates of their authority. */
  readonly proxies?: RequestHeaders & { readonly authority: string };
}

/** The objects that every cluster has from its start. `address` is the server's address. */
export function bootstrapObjects(address: Address, trust: ClusterTrust): readonly BootstrapObject[] {
  return [
    ...namespaces(),
    ...priorityClasses(),
    serviceCIDR(),
    kubernetesService(address.port),
    ...endpoints(address),
    ...(trust.clientAuthority === '' ? [] : [clusterAuthentication(trust)]),
  ];
}

const namespaces = (): BootstrapObject[] =>
  ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => ({
    resource: core('namespaces'),
    object: { metadata: { name } },
    kept: [],
  }));

function priorityClasses(): BootstrapObject[] {
  const classes: readonly [string, number, string][] = [
    [
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ],
    [
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ],
  ];
  return classes.map(([name, value, description]) => ({
    resource: PRIORITY_CLASSES,
    object: { metadata: { name }, value, description },
    kept: [],
  }));
}

/** The range of service addresses. Users may add others. The service CIDR controller sets its condition. */
const serviceCIDR = (): BootstrapObject => ({
  resource: { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' },
  object: { metadata: { name: 'kubernetes' }, spec: { cidrs: [SERVICE_CIDR] } },
  kept: [],
});

/** The Service `kubernetes`, which the server maintains itself, without a selector. */
function kubernetesService(port: number): BootstrapObject {
  const ports = [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }];
  const labels = { provider: 'kubernetes', component: 'apiserver' };
  const spec = {
    ports,
    clusterIP: SERVICE_IP,
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilyPolicy: 'SingleStack',
  };
  return {
    resource: core('services'),
    object: { metadata: { name: 'kubernetes', namespace: 'default', labels }, spec },
    kept: [],
  };
}

/** Upstream's cluster_authentication_trust_controller. Lists are JSON, and exist only if a proxy authority is configured. */
const clusterAuthentication = ({ clientAuthority, proxies }: ClusterTrust): BootstrapObject => ({
  resource: core('configmaps'),
  object: {
    metadata: { name: CLUSTER_AUTHENTICATION.name, namespace: CLUSTER_AUTHENTICATION.namespace },
    data: { [CLUSTER_AUTHENTICATION.key]: clientAuthority, ...(proxies && proxyFields(proxies)) },
  },
  kept: ['data'],
});

const proxyFields = (proxies: NonNullable<ClusterTrust['proxies']>) => ({
  'requestheader-username-headers': JSON.stringify(proxies.usernameHeaders),
  ...(proxies.uidHeaders.length === 0 ? {} : { 'requestheader-uid-headers': JSON.stringify(proxies.uidHeaders) }),
  'requestheader-group-headers': JSON.stringify(proxies.groupHeaders),
  'requestheader-extra-headers-prefix': JSON.stringify(proxies.extraHeaderPrefixes),
  'requestheader-client-ca-file': proxies.authority,
  'requestheader-allowed-names': JSON.stringify(proxies.allowedNames),
});

/** The endpoints of the service. A server that only its own machine can reach has no valid endpoint address. */
function endpoints({ host, port }: Address): BootstrapObject[] {
  const reachable = !isSpecial(host);
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  const metadata = (label: string, value: string): JsonObject => ({
    name: 'kubernetes',
    namespace: 'default',
    labels: { [label]: value },
  });
  return [
    {
      resource: core('endpoints'),
      object: {
        metadata: metadata(MIRRORING, 'true'),
        ...(reachable ? { subsets: [{ addresses: [{ ip: host }], ports }] } : {}),
      },
      kept: ['subsets'],
    },
    {
      resource: SLICES,
      object: {
        metadata: metadata('kubernetes.io/service-name', 'kubernetes'),
        addressType: ipFamily(host) === 6 ? 'IPv6' : 'IPv4',
        ...(reachable ? { endpoints: [{ addresses: [host], conditions: { ready: true } }], ports } : { endpoints: [] }),
      },
      kept: ['endpoints', 'ports'],
    },
  ];
}

/** Whether the host is a loopback address, an unspecified address or a name. None of these is usable in endpoints. */
function isSpecial(host: string): boolean {
  const addr = parseIPSloppy(host);
  return addr === undefined || isLoopback(addr) || isUnspecified(addr);
}
