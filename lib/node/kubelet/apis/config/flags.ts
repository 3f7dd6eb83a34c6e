import { type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';

/** The syntax of a flag: `map` is `key=value,…`, `below` is `key<value,…`. */
type Form = 'text' | 'number' | 'flag' | 'texts' | 'map' | 'below' | 'flags' | 'taints' | 'memory';

/** A kubelet flag that sets a field of its configuration. */
export interface ConfigurationFlag {
  readonly form: Form;
  /** The path of the field in KubeletConfiguration. */
  readonly path: readonly [string, ...string[]];
}

const flag = (form: Form, ...path: [string, ...string[]]): ConfigurationFlag => ({ form, path });

/** The kubelet flags that set its configuration (upstream: AddKubeletConfigFlags). */
export const CONFIGURATION_FLAGS: Readonly<Record<string, ConfigurationFlag>> = {
  'enable-server': flag('flag', 'enableServer'),
  'fail-swap-on': flag('flag', 'failSwapOn'),
  'pod-manifest-path': flag('text', 'staticPodPath'),
  'sync-frequency': flag('text', 'syncFrequency'),
  'file-check-frequency': flag('text', 'fileCheckFrequency'),
  'http-check-frequency': flag('text', 'httpCheckFrequency'),
  'manifest-url': flag('text', 'staticPodURL'),
  address: flag('text', 'address'),
  port: flag('number', 'port'),
  'read-only-port': flag('number', 'readOnlyPort'),
  'fail-cgroupv1': flag('flag', 'failCgroupV1'),
  'container-runtime-endpoint': flag('text', 'containerRuntimeEndpoint'),
  'image-service-endpoint': flag('text', 'imageServiceEndpoint'),
  'anonymous-auth': flag('flag', 'authentication', 'anonymous', 'enabled'),
  'authentication-token-webhook': flag('flag', 'authentication', 'webhook', 'enabled'),
  'authentication-token-webhook-cache-ttl': flag('text', 'authentication', 'webhook', 'cacheTTL'),
  'client-ca-file': flag('text', 'authentication', 'x509', 'clientCAFile'),
  'authorization-mode': flag('text', 'authorization', 'mode'),
  'authorization-webhook-cache-authorized-ttl': flag('text', 'authorization', 'webhook', 'cacheAuthorizedTTL'),
  'authorization-webhook-cache-unauthorized-ttl': flag('text', 'authorization', 'webhook', 'cacheUnauthorizedTTL'),
  'tls-cert-file': flag('text', 'tlsCertFile'),
  'tls-private-key-file': flag('text', 'tlsPrivateKeyFile'),
  'rotate-server-certificates': flag('flag', 'serverTLSBootstrap'),
  'tls-cipher-suites': flag('texts', 'tlsCipherSuites'),
  'tls-min-version': flag('text', 'tlsMinVersion'),
  'rotate-certificates': flag('flag', 'rotateCertificates'),
  'registry-qps': flag('number', 'registryPullQPS'),
  'registry-burst': flag('number', 'registryBurst'),
  'event-qps': flag('number', 'eventRecordQPS'),
  'event-burst': flag('number', 'eventBurst'),
  'enable-debugging-handlers': flag('flag', 'enableDebuggingHandlers'),
  'contention-profiling': flag('flag', 'enableContentionProfiling'),
  'healthz-port': flag('number', 'healthzPort'),
  'healthz-bind-address': flag('text', 'healthzBindAddress'),
  'oom-score-adj': flag('number', 'oomScoreAdj'),
  'cluster-domain': flag('text', 'clusterDomain'),
  'volume-plugin-dir': flag('text', 'volumePluginDir'),
  'cluster-dns': flag('texts', 'clusterDNS'),
  'streaming-connection-idle-timeout': flag('text', 'streamingConnectionIdleTimeout'),
  'node-status-update-frequency': flag('text', 'nodeStatusUpdateFrequency'),
  'minimum-image-ttl-duration': flag('text', 'imageMinimumGCAge'),
  'image-gc-high-threshold': flag('number', 'imageGCHighThresholdPercent'),
  'image-gc-low-threshold': flag('number', 'imageGCLowThresholdPercent'),
  'volume-stats-agg-period': flag('text', 'volumeStatsAggPeriod'),
  'feature-gates': flag('flags', 'featureGates'),
  'kubelet-cgroups': flag('text', 'kubeletCgroups'),
  'system-cgroups': flag('text', 'systemCgroups'),
  'provider-id': flag('text', 'providerID'),
  'cgroups-per-qos': flag('flag', 'cgroupsPerQOS'),
  'cgroup-driver': flag('text', 'cgroupDriver'),
  'cgroup-root': flag('text', 'cgroupRoot'),
  'cpu-manager-policy': flag('text', 'cpuManagerPolicy'),
  'cpu-manager-policy-options': flag('map', 'cpuManagerPolicyOptions'),
  'cpu-manager-reconcile-period': flag('text', 'cpuManagerReconcilePeriod'),
  'qos-reserved': flag('map', 'qosReserved'),
  'topology-manager-policy': flag('text', 'topologyManagerPolicy'),
  'topology-manager-scope': flag('text', 'topologyManagerScope'),
  'topology-manager-policy-options': flag('map', 'topologyManagerPolicyOptions'),
  'runtime-request-timeout': flag('text', 'runtimeRequestTimeout'),
  'hairpin-mode': flag('text', 'hairpinMode'),
  'max-pods': flag('number', 'maxPods'),
  'pod-cidr': flag('text', 'podCIDR'),
  'pod-max-pids': flag('number', 'podPidsLimit'),
  'resolv-conf': flag('text', 'resolvConf'),
  runonce: flag('flag', 'runOnce'),
  'cpu-cfs-quota': flag('flag', 'cpuCFSQuota'),
  'cpu-cfs-quota-period': flag('text', 'cpuCFSQuotaPeriod'),
  'enable-controller-attach-detach': flag('flag', 'enableControllerAttachDetach'),
  'make-iptables-util-chains': flag('flag', 'makeIPTablesUtilChains'),
  'container-log-max-size': flag('text', 'containerLogMaxSize'),
  'container-log-max-files': flag('number', 'containerLogMaxFiles'),
  'allowed-unsafe-sysctls': flag('texts', 'allowedUnsafeSysctls'),
  'node-status-max-images': flag('number', 'nodeStatusMaxImages'),
  'kernel-memcg-notification': flag('flag', 'kernelMemcgNotification'),
  'local-storage-capacity-isolation': flag('flag', 'localStorageCapacityIsolation'),
  'max-open-files': flag('number', 'maxOpenFiles'),
  'kube-api-content-type': flag('text', 'contentType'),
  'kube-api-qps': flag('number', 'kubeAPIQPS'),
  'kube-api-burst': flag('number', 'kubeAPIBurst'),
  'serialize-image-pulls': flag('flag', 'serializeImagePulls'),
  'eviction-hard': flag('below', 'evictionHard'),
  'eviction-soft': flag('below', 'evictionSoft'),
  'eviction-soft-grace-period': flag('map', 'evictionSoftGracePeriod'),
  'eviction-pressure-transition-period': flag('text', 'evictionPressureTransitionPeriod'),
  'eviction-max-pod-grace-period': flag('number', 'evictionMaxPodGracePeriod'),
  'eviction-minimum-reclaim': flag('map', 'evictionMinimumReclaim'),
  'pods-per-core': flag('number', 'podsPerCore'),
  'protect-kernel-defaults': flag('flag', 'protectKernelDefaults'),
  'reserved-cpus': flag('text', 'reservedSystemCPUs'),
  'system-reserved': flag('map', 'systemReserved'),
  'kube-reserved': flag('map', 'kubeReserved'),
  'enforce-node-allocatable': flag('texts', 'enforceNodeAllocatable'),
  'system-reserved-cgroup': flag('text', 'systemReservedCgroup'),
  'kube-reserved-cgroup': flag('text', 'kubeReservedCgroup'),
  'memory-manager-policy': flag('text', 'memoryManagerPolicy'),
  'reserved-memory': flag('memory', 'reservedMemory'),
  'register-node': flag('flag', 'registerNode'),
  'register-with-taints': flag('taints', 'registerWithTaints'),
  'seccomp-default': flag('flag', 'seccompDefault'),
};

/** The error for a flag with invalid syntax. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** Sets a flag's field in a document. Throws FlagError. */
export function setByFlag(document: JsonObject, { form, path }: ConfigurationFlag, text: string): void {
  const [first, ...rest] = path;
  const value = READERS[form](text);
  const nested = rest.reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
  const before = document[first];
  const isBoth = isPlain(before) && isPlain(nested);
  setField(document, first, isBoth ? deepMerge(before, nested) : nested);
}

const isPlain = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function deepMerge(into: JsonObject, from: JsonObject): JsonObject {
  const merged: JsonObject = { ...into };
  for (const [name, value] of Object.entries(from)) {
    const before = merged[name];
    setField(merged, name, isPlain(before) && isPlain(value) ? deepMerge(before, value) : value);
  }
  return merged;
}

const parts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function pairs(text: string, separator: string): JsonObject {
  return Object.fromEntries(
    parts(text).map((part) => {
      const at = part.indexOf(separator);
      if (at < 1) throw new FlagError(`malformed pair, expect string${separator}string`);
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
}

function truth(text: string): boolean {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(?:0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw new FlagError(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function integer(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new FlagError(`parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** Parses `key=value:Effect,…` with an optional value. */
const taints = (text: string): Json =>
  parts(text).map((part) => {
    const [, key, value = '', effect] = /^([^=:]+)(?:=([^:]*))?:([^:]+)$/.exec(part) ?? [];
    if (key === undefined || effect === undefined) throw new FlagError(`invalid taint spec: ${part}`);
    return value === '' ? { key, effect } : { key, value, effect };
  });

/** `0:memory=1Gi,hugepages-1M=2Gi;1:memory=2Gi`. */
const reservedMemory = (text: string): Json =>
  text.split(';').map((part) => {
    const [, node, limits] = /^\s*(\d+):(.+)$/.exec(part) ?? [];
    if (node === undefined || limits === undefined)
      throw new FlagError(`the reserved memory has incorrect format ${part}`);
    return { numaNode: Number(node), limits: pairs(limits, '=') };
  });

const READERS: Readonly<Record<Form, (text: string) => Json>> = {
  text: (text) => text,
  number: integer,
  flag: truth,
  texts: parts,
  map: (text) => pairs(text, '='),
  below: (text) => pairs(text, '<'),
  flags: (text) =>
    Object.fromEntries(Object.entries(pairs(text, '=')).map(([name, value]) => [name, truth(String(value))])),
  taints,
  memory: reservedMemory,
};
