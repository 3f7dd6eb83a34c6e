import { NamespaceMode } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RunContainerOptions, RuntimeHelper } from '../container/runtime.ts';
import type { ConfigSettings } from '../kuberuntime/config-settings.ts';

/** Settings of a machine with version 1 cgroups, 8 GB of memory and no swap. */
export const someSettings = (overrides: Partial<ConfigSettings> = {}): ConfigSettings => ({
  podLogsRoot: '/var/log/pods',
  seccompProfileRoot: '/var/lib/kubelet/seccomp',
  seccompDefault: false,
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: 100_000,
  memoryCapacity: 8_000_000_000,
  swapCapacity: 0,
  memorySwapBehavior: 'NoSwap',
  swapControllerAvailable: false,
  cgroupV2: false,
  singleProcessOOMKill: true,
  hugePageSizes: [],
  selinuxEnabled: false,
  thermalThrottlePaths: [],
  hasExclusiveCPUs: () => false,
  ...overrides,
});

/** Empty options. */
export const NO_OPTIONS: RunContainerOptions = {
  envs: [],
  mounts: [],
  devices: [],
  cdiDevices: [],
  annotations: {},
  podContainerDir: '',
  hostname: '',
};

/** A helper that returns the hostname `web`, one DNS server and the cgroup `/kubepods/pod` for every pod. */
export const someHelper = (overrides: Partial<RuntimeHelper> = {}): RuntimeHelper => ({
  runContainerOptions: async () => ({ options: NO_OPTIONS, cleanup: async () => undefined }),
  podDNS: async () => ({ servers: ['10.96.0.10'], searches: ['shop.svc.cluster.local'], options: ['ndots:5'] }),
  podCgroupParent: () => '/kubepods/pod',
  podDir: (uid) => `/var/lib/kubelet/pods/${uid}`,
  hostnameAndDomain: () => ({ hostname: 'web', domain: '' }),
  extraSupplementalGroups: () => [],
  userNamespace: () => ({ mode: NamespaceMode.NODE, uids: [], gids: [] }),
  prepareDynamicResources: async () => undefined,
  unprepareDynamicResources: async () => undefined,
  podMemoryUsage: async () => ({ pod: 0n, containers: new Map() }),
  requestPodReinspect: () => undefined,
  podSandboxReady: async () => undefined,
  ...overrides,
});
