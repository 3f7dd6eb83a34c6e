import * as z from 'zod';
import { parseDuration } from '#lib/machinery/duration.ts';
import { TimeError } from '#lib/machinery/time.ts';

const NANOSECONDS = 1_000_000n;

/** Go's zero value means the default, as in upstream's defaulting of fields that are not pointers. */
const string = (fallback = '') =>
  z
    .string()
    .default('')
    .transform((value) => (value === '' ? fallback : value));
const number = (fallback = 0) =>
  z
    .int()
    .default(0)
    .transform((value) => (value === 0 ? fallback : value));
/** A pointer field: zero is a separate value. */
const pointer = (fallback: number) => z.int().default(fallback);
const flag = (fallback = false) => z.boolean().default(fallback);
const strings = z.array(z.string()).default([]);
const map = z.record(z.string(), z.string()).default({});

const milliseconds = z.string().transform((text, context) => {
  try {
    return Number(parseDuration(text) / NANOSECONDS);
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});
/** A duration in Go's notation, converted to milliseconds. */
const duration = (fallback = 0) =>
  milliseconds.optional().transform((value) => (value === undefined || value === 0 ? fallback : value));

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const authentication = z
  .strictObject({
    x509: z.strictObject({ clientCAFile: string() }).prefault({}),
    webhook: z.strictObject({ enabled: flag(true), cacheTTL: duration(2 * MINUTE) }).prefault({}),
    anonymous: z.strictObject({ enabled: flag(false) }).prefault({}),
  })
  .prefault({});

const authorization = z
  .strictObject({
    mode: string('Webhook'),
    webhook: z
      .strictObject({ cacheAuthorizedTTL: duration(5 * MINUTE), cacheUnauthorizedTTL: duration(30 * SECOND) })
      .prefault({}),
  })
  .prefault({});

const taint = z.strictObject({
  key: z.string(),
  value: z.string().optional(),
  effect: z.string(),
  timeAdded: z.string().optional(),
});

/** kubelet.config.k8s.io/v1beta1 KubeletConfiguration with upstream's defaults. Durations are in milliseconds. */
export const kubeletConfiguration = z.strictObject({
  apiVersion: z.literal('kubelet.config.k8s.io/v1beta1'),
  kind: z.literal('KubeletConfiguration'),
  enableServer: flag(true),
  staticPodPath: string(),
  podLogsDir: string('/var/log/pods'),
  syncFrequency: duration(MINUTE),
  fileCheckFrequency: duration(20 * SECOND),
  httpCheckFrequency: duration(20 * SECOND),
  staticPodURL: string(),
  staticPodURLHeader: z.record(z.string(), z.array(z.string())).default({}),
  address: string('0.0.0.0'),
  port: number(10250),
  readOnlyPort: number(),
  tlsCertFile: string(),
  tlsPrivateKeyFile: string(),
  tlsCipherSuites: strings,
  tlsCurvePreferences: z.array(z.int()).default([]),
  tlsMinVersion: string(),
  rotateCertificates: flag(),
  serverTLSBootstrap: flag(),
  authentication,
  authorization,
  registryPullQPS: pointer(5),
  registryBurst: number(10),
  imagePullCredentialsVerificationPolicy: string('NeverVerifyPreloadedImages'),
  preloadedImagesVerificationAllowlist: strings,
  eventRecordQPS: pointer(50),
  eventBurst: number(100),
  enableDebuggingHandlers: flag(true),
  enableContentionProfiling: flag(),
  healthzPort: pointer(10248),
  healthzBindAddress: string('127.0.0.1'),
  oomScoreAdj: pointer(-999),
  clusterDomain: string(),
  clusterDNS: strings,
  streamingConnectionIdleTimeout: duration(4 * 60 * MINUTE),
  nodeStatusUpdateFrequency: duration(),
  nodeStatusReportFrequency: duration(),
  nodeLeaseDurationSeconds: number(40),
  imageMinimumGCAge: duration(2 * MINUTE),
  imageMaximumGCAge: duration(),
  imageGCHighThresholdPercent: pointer(85),
  imageGCLowThresholdPercent: pointer(80),
  volumeStatsAggPeriod: duration(MINUTE),
  kubeletCgroups: string(),
  systemCgroups: string(),
  cgroupRoot: string(),
  cgroupsPerQOS: flag(true),
  cgroupDriver: string('cgroupfs'),
  cpuManagerPolicy: string('none'),
  singleProcessOOMKill: z.boolean().optional(),
  cpuManagerPolicyOptions: map,
  cpuManagerReconcilePeriod: duration(10 * SECOND),
  memoryManagerPolicy: string('None'),
  topologyManagerPolicy: string('none'),
  topologyManagerScope: string('container'),
  topologyManagerPolicyOptions: map,
  qosReserved: map,
  runtimeRequestTimeout: duration(2 * MINUTE),
  hairpinMode: string('promiscuous-bridge'),
  maxPods: number(110),
  podCIDR: string(),
  podPidsLimit: pointer(-1).transform((value) => Math.max(-1, value)),
  resolvConf: z.string().default('/etc/resolv.conf'),
  runOnce: flag(),
  cpuCFSQuota: flag(true),
  cpuCFSQuotaPeriod: milliseconds.default(100),
  nodeStatusMaxImages: pointer(50),
  maxOpenFiles: number(1_000_000),
  contentType: string('application/vnd.kubernetes.protobuf'),
  kubeAPIQPS: pointer(50),
  kubeAPIBurst: number(100),
  serializeImagePulls: z.boolean().optional(),
  maxParallelImagePulls: z.int().optional(),
  evictionHard: z.record(z.string(), z.string()).optional(),
  evictionSoft: map,
  evictionSoftGracePeriod: map,
  evictionPressureTransitionPeriod: duration(5 * MINUTE),
  evictionMaxPodGracePeriod: number(),
  evictionMinimumReclaim: map,
  mergeDefaultEvictionSettings: flag(),
  podsPerCore: number(),
  enableControllerAttachDetach: flag(true),
  protectKernelDefaults: flag(),
  makeIPTablesUtilChains: flag(true),
  iptablesMasqueradeBit: pointer(14),
  iptablesDropBit: pointer(15),
  featureGates: z.record(z.string(), z.boolean()).default({}),
  failSwapOn: flag(true),
  memorySwap: z.strictObject({ swapBehavior: string() }).prefault({}),
  containerLogMaxSize: string('10Mi'),
  containerLogMaxFiles: pointer(5),
  containerLogMaxWorkers: pointer(1),
  containerLogMonitorInterval: milliseconds.default(10 * SECOND),
  configMapAndSecretChangeDetectionStrategy: string('Watch'),
  systemReserved: map,
  kubeReserved: map,
  reservedSystemCPUs: string(),
  showHiddenMetricsForVersion: string(),
  systemReservedCgroup: string(),
  kubeReservedCgroup: string(),
  enforceNodeAllocatable: z.array(z.string()).default(['pods']),
  allowedUnsafeSysctls: strings,
  volumePluginDir: string('/usr/libexec/kubernetes/kubelet-plugins/volume/exec/'),
  providerID: string(),
  kernelMemcgNotification: flag(),
  logging: z.looseObject({}).optional(),
  enableSystemLogHandler: flag(true),
  enableSystemLogQuery: flag(),
  shutdownGracePeriod: duration(),
  shutdownGracePeriodCriticalPods: duration(),
  shutdownGracePeriodByPodPriority: z
    .array(z.strictObject({ priority: z.int(), shutdownGracePeriodSeconds: z.int() }))
    .default([]),
  crashLoopBackOff: z.strictObject({ maxContainerRestartPeriod: milliseconds.default(5 * MINUTE) }).prefault({}),
  reservedMemory: z
    .array(z.strictObject({ numaNode: z.int(), limits: z.record(z.string(), z.union([z.string(), z.number()])) }))
    .default([]),
  enableProfilingHandler: flag(true),
  enableDebugFlagsHandler: flag(true),
  seccompDefault: flag(),
  memoryThrottlingFactor: z.number().default(0.9),
  memoryReservationPolicy: string('None'),
  registerWithTaints: z.array(taint).default([]),
  registerNode: flag(true),
  tracing: z.looseObject({}).optional(),
  localStorageCapacityIsolation: flag(true),
  containerRuntimeEndpoint: string('unix:///run/containerd/containerd.sock'),
  imageServiceEndpoint: string(),
  /** Upstream's default is true. Here it is false, because hosts with cgroup v1 are supported. */
  failCgroupV1: flag(false),
  userNamespaces: z.strictObject({ idsPerPod: z.int().optional() }).optional(),
});

/** A KubeletConfiguration with defaults. Durations are in milliseconds. */
export type KubeletConfiguration = z.output<typeof kubeletConfiguration>;
