import { durationText } from '#lib/machinery/duration.ts';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { validateTaints } from '#lib/server/registry/kinds/core/taints.ts';
import type { KubeletConfiguration } from './types.ts';

const NANOSECONDS = 1_000_000n;
const quoted = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
const text = (milliseconds: number): string => durationText(BigInt(milliseconds) * NANOSECONDS);

/** A check of some settings. Returns the problems without their common prefix. */
type Check = (configuration: KubeletConfiguration) => readonly (string | false)[];

const TOPOLOGY_POLICIES = ['none', 'best-effort', 'restricted', 'single-numa-node'];
const HAIRPIN_MODES = ['none', 'hairpin-veth', 'promiscuous-bridge'];
const VERIFICATION = ['NeverVerify', 'NeverVerifyPreloadedImages', 'NeverVerifyAllowlistedImages', 'AlwaysVerify'];
const LONGEST_RESTART = 300_000;

const numbers: Check = (kc) => [
  kc.nodeLeaseDurationSeconds <= 0 && 'nodeLeaseDurationSeconds must be greater than 0',
  kc.eventBurst < 0 && `eventBurst (--event-burst) ${kc.eventBurst} must not be a negative number`,
  kc.eventRecordQPS < 0 && `eventRecordQPS (--event-qps) ${kc.eventRecordQPS} must not be a negative number`,
  kc.kubeAPIBurst < 0 && `kubeAPIBurst (--kube-api-burst) ${kc.kubeAPIBurst} must not be a negative number`,
  kc.kubeAPIQPS < 0 && `kubeAPIQPS (--kube-api-qps) ${kc.kubeAPIQPS} must not be a negative number`,
  kc.nodeStatusMaxImages < -1 &&
    `nodeStatusMaxImages (--node-status-max-images) ${kc.nodeStatusMaxImages} must be -1 or greater`,
  kc.maxOpenFiles < 0 && `maxOpenFiles (--max-open-files) ${kc.maxOpenFiles} must not be a negative number`,
  kc.maxPods < 0 && `maxPods (--max-pods) ${kc.maxPods} must not be a negative number`,
  kc.podsPerCore < 0 && `podsPerCore (--pods-per-core) ${kc.podsPerCore} must not be a negative number`,
  kc.registryBurst < 0 && `registryBurst (--registry-burst) ${kc.registryBurst} must not be a negative number`,
  kc.registryPullQPS < 0 && `registryPullQPS (--registry-qps) ${kc.registryPullQPS} must not be a negative number`,
  (kc.cpuCFSQuotaPeriod < 1 || kc.cpuCFSQuotaPeriod > 1000) &&
    `cpuCFSQuotaPeriod (--cpu-cfs-quota-period) {${text(kc.cpuCFSQuotaPeriod)}} must be between 1ms and 1sec, inclusive`,
  (kc.oomScoreAdj < -1000 || kc.oomScoreAdj > 1000) &&
    `oomScoreAdj (--oom-score-adj) ${kc.oomScoreAdj} must be between -1000 and 1000, inclusive`,
];

const images: Check = (kc) => {
  const [low, high] = [kc.imageGCLowThresholdPercent, kc.imageGCHighThresholdPercent];
  const isPercent = (value: number): boolean => value >= 0 && value <= 100;
  const { imageMinimumGCAge: least, imageMaximumGCAge: most, maxParallelImagePulls: parallel } = kc;
  return [
    !isPercent(high) &&
      `imageGCHighThresholdPercent (--image-gc-high-threshold) ${high} must be between 0 and 100, inclusive`,
    !isPercent(low) &&
      `imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be between 0 and 100, inclusive`,
    low >= high &&
      `imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) ${high}`,
    least < 0 && `imageMinimumGCAge ${text(least)} must not be negative`,
    most < 0 && `imageMaximumGCAge ${text(most)} must not be negative`,
    most > 0 &&
      most <= least &&
      `imageMaximumGCAge ${text(most)} must be greater than imageMinimumGCAge ${text(least)}`,
    parallel !== undefined && parallel < 1 && `maxParallelImagePulls ${parallel} must be a positive number`,
    kc.serializeImagePulls === true &&
      (parallel ?? 1) > 1 &&
      'maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to false',
    !VERIFICATION.includes(kc.imagePullCredentialsVerificationPolicy) &&
      `option ${JSON.stringify(kc.imagePullCredentialsVerificationPolicy)} specified for imagePullCredentialsVerificationPolicy. Valid options are ${VERIFICATION.slice(
        0,
        3,
      )
        .map((one) => JSON.stringify(one))
        .join(', ')} or ${JSON.stringify(VERIFICATION[3])}`,
    kc.preloadedImagesVerificationAllowlist.length > 0 &&
      kc.imagePullCredentialsVerificationPolicy !== 'NeverVerifyAllowlistedImages' &&
      'can\'t set `preloadedImagesVerificationAllowlist` if `imagePullCredentialsVertificationPolicy` is not "NeverVerifyAllowlistedImages"',
  ];
};

const shutdown: Check = ({ shutdownGracePeriod: all, shutdownGracePeriodCriticalPods: critical, ...kc }) => {
  const isShort = (period: number): boolean => period < 0 || (period > 0 && period < 1000);
  return [
    critical > all &&
      `shutdownGracePeriodCriticalPods {${text(critical)}} must be <= shutdownGracePeriod {${text(all)}}`,
    isShort(all) && `shutdownGracePeriod {${text(all)}} must be either zero or otherwise >= 1 sec`,
    isShort(critical) &&
      `shutdownGracePeriodCriticalPods {${text(critical)}} must be either zero or otherwise >= 1 sec`,
    kc.shutdownGracePeriodByPodPriority.length > 0 &&
      (all > 0 || critical > 0) &&
      'Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same time',
  ];
};

const logs: Check = (kc) => [
  kc.containerLogMaxWorkers < 1 && 'containerLogMaxWorkers must be greater than or equal to 1',
  kc.containerLogMonitorInterval < 3000 &&
    'containerLogMonitorInterval must be a positive time duration greater than or equal to 3s',
  kc.containerLogMaxFiles <= 1 && 'containerLogMaxFiles must be greater than 1',
  !kc.podLogsDir.startsWith('/') && `pod logs path ${JSON.stringify(kc.podLogsDir)} must be absolute path`,
  /\/\/|\/\.{1,2}(?:\/|$)|.\/$/.test(kc.podLogsDir) &&
    `pod logs path ${JSON.stringify(kc.podLogsDir)} must be normalized`,
];

const policies: Check = (kc) => {
  const restart = kc.crashLoopBackOff.maxContainerRestartPeriod;
  return [
    !TOPOLOGY_POLICIES.includes(kc.topologyManagerPolicy) &&
      `topologyManagerPolicy (--topology-manager-policy) ${JSON.stringify(kc.topologyManagerPolicy)} must be one of: ${quoted(TOPOLOGY_POLICIES)}`,
    !['container', 'pod'].includes(kc.topologyManagerScope) &&
      `topologyManagerScope (--topology-manager-scope) ${JSON.stringify(kc.topologyManagerScope)} must be one of: "container", or "pod"`,
    !HAIRPIN_MODES.includes(kc.hairpinMode) &&
      `option ${JSON.stringify(kc.hairpinMode)} specified for hairpinMode (--hairpin-mode). Valid options are "none", "hairpin-veth" or "promiscuous-bridge"`,
    (restart < 1000 || restart > LONGEST_RESTART) &&
      `CrashLoopBackOff.MaxContainerRestartPeriod (got: ${restart / 1000} seconds) must be set between 1s and 300s`,
    kc.reservedSystemCPUs !== '' &&
      !/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/.test(kc.reservedSystemCPUs) &&
      `unable to parse reservedSystemCPUs (--reserved-cpus) ${kc.reservedSystemCPUs}`,
  ];
};

const allocatable: Check = (kc) => {
  const all = kc.enforceNodeAllocatable;
  return all.flatMap((one, i) => [
    all.indexOf(one) < i &&
      `duplicated enforcements ${JSON.stringify(one)} in enforceNodeAllocatable (--enforce-node-allocatable)`,
    one === 'none' &&
      all.length > 1 &&
      'enforceNodeAllocatable (--enforce-node-allocatable) may not contain additional enforcements when "none" is specified',
    !['pods', 'none'].includes(one) &&
      `option ${JSON.stringify(one)} specified for enforceNodeAllocatable (--enforce-node-allocatable). Valid options are "pods" or "none"`,
    one === 'pods' &&
      !kc.cgroupsPerQOS &&
      'cgroupsPerQOS (--cgroups-per-qos) must be set to true when "pods" contained in enforceNodeAllocatable (--enforce-node-allocatable)',
  ]);
};

const CHECKS: readonly Check[] = [numbers, images, shutdown, logs, policies, allocatable];

/** All problems of a configuration, with upstream's texts (ValidateKubeletConfiguration). `effects.ts` lists the refused settings. */
export function validateKubeletConfiguration(configuration: KubeletConfiguration): string[] {
  const faults = CHECKS.flatMap((check) => check(configuration)).filter((fault) => fault !== false);
  const taints = configuration.registerWithTaints.map(({ key, effect, value }) => ({
    key,
    effect,
    ...(value === undefined ? {} : { value }),
  }));
  return [
    ...faults.map((fault) => `invalid configuration: ${fault}`),
    ...validateTaints(taints, FieldPath.of('registerWithTaints')).map(
      (error) => `invalid configuration: ${errorText(error)}`,
    ),
  ];
}
