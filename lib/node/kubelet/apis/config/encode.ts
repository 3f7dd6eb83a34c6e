import { durationText } from '#lib/machinery/duration.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { evictionHardOf } from '../../eviction/thresholds.ts';
import { serializesImagePulls } from './configuration.ts';
import type { KubeletConfiguration } from './types.ts';

const NANOSECONDS = 1_000_000n;

/**
 * The settings that are durations, at any depth. Their values are in milliseconds. A test parses the encoded text, because a number instead
 * of a duration is an invalid KubeletConfiguration.
 */
const DURATIONS = new Set([
  'syncFrequency',
  'fileCheckFrequency',
  'httpCheckFrequency',
  'cacheTTL',
  'cacheAuthorizedTTL',
  'cacheUnauthorizedTTL',
  'streamingConnectionIdleTimeout',
  'nodeStatusUpdateFrequency',
  'nodeStatusReportFrequency',
  'imageMinimumGCAge',
  'imageMaximumGCAge',
  'volumeStatsAggPeriod',
  'cpuManagerReconcilePeriod',
  'runtimeRequestTimeout',
  'cpuCFSQuotaPeriod',
  'evictionPressureTransitionPeriod',
  'containerLogMonitorInterval',
  'shutdownGracePeriod',
  'shutdownGracePeriodCriticalPods',
  'maxContainerRestartPeriod',
]);

/** Upstream's pointer fields, and its one field without `omitempty`: their zero values are encoded. */
const SHOWN_ZEROS = new Set([
  'enableServer',
  'enabled',
  'registryPullQPS',
  'eventRecordQPS',
  'enableDebuggingHandlers',
  'healthzPort',
  'oomScoreAdj',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'cgroupsPerQOS',
  'singleProcessOOMKill',
  'podPidsLimit',
  'resolvConf',
  'cpuCFSQuota',
  'nodeStatusMaxImages',
  'kubeAPIQPS',
  'serializeImagePulls',
  'maxParallelImagePulls',
  'mergeDefaultEvictionSettings',
  'enableControllerAttachDetach',
  'makeIPTablesUtilChains',
  'iptablesMasqueradeBit',
  'iptablesDropBit',
  'failSwapOn',
  'containerLogMaxFiles',
  'containerLogMaxWorkers',
  'enableSystemLogHandler',
  'enableSystemLogQuery',
  'enableProfilingHandler',
  'enableDebugFlagsHandler',
  'seccompDefault',
  'memoryThrottlingFactor',
  'registerNode',
  'localStorageCapacityIsolation',
  'failCgroupV1',
  'containerRuntimeEndpoint',
]);

/** Settings that are Go structs, which are encoded even if empty. All other objects are maps. */
const STRUCTURES = new Set([
  'authentication',
  'x509',
  'webhook',
  'anonymous',
  'authorization',
  'memorySwap',
  'crashLoopBackOff',
  'logging',
]);

/**
 * The current configuration as v1beta1 JSON for `/configz`. Durations are text, and Go's zero values are omitted like upstream. Header
 * values may be secrets, so they are masked as in upstream's log.
 */
export function encodeKubeletConfiguration(configuration: KubeletConfiguration): JsonObject {
  const { evictionHard, mergeDefaultEvictionSettings, staticPodURLHeader } = configuration;
  const json: JsonObject = JSON.parse(
    JSON.stringify({
      ...configuration,
      evictionHard: evictionHardOf(evictionHard, mergeDefaultEvictionSettings),
      serializeImagePulls: serializesImagePulls(configuration),
      staticPodURLHeader: Object.fromEntries(Object.keys(staticPodURLHeader).map((name) => [name, ['<masked>']])),
    }),
  );
  return encoded(json);
}

const encoded = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]): [string, Json][] => {
      if (DURATIONS.has(name)) return [[name, durationText(BigInt(String(value)) * NANOSECONDS)]];
      if (STRUCTURES.has(name) && isObject(value)) return [[name, encoded(value)]];
      return isZero(value) && !SHOWN_ZEROS.has(name) ? [] : [[name, value]];
    }),
  );

function isZero(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === '' || value === 0 || value === false;
}
