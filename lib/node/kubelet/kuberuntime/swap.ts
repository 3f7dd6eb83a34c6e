import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { compareQuantities, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { LinuxContainerResources } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { qosClassOf } from '../qos/policy.ts';
import { isCriticalPod } from '../types/critical-pod.ts';
import type { ConfigSettings } from './config-settings.ts';

/** Whether a container may swap: a Burstable one whose memory request and limit differ. */
export function swapBehavior(pod: Pod, { resources }: Container, settings: ConfigSettings): 'NoSwap' | 'LimitedSwap' {
  const { memorySwapBehavior, swapControllerAvailable, cgroupV2 } = settings;
  if (memorySwapBehavior !== 'LimitedSwap' || !swapControllerAvailable || !cgroupV2) return 'NoSwap';
  const request = ownField(resources.requests, 'memory') ?? '0';
  const limit = ownField(resources.limits, 'memory') ?? '0';
  const none = signOf(request) === 0 && signOf(limit) === 0;
  const excluded =
    isCriticalPod(pod) || qosClassOf(pod) !== 'Burstable' || none || compareQuantities(request, limit) === 0;
  return excluded ? 'NoSwap' : 'LimitedSwap';
}

/** The fields that limit a container's swap. Empty if the kernel does not account for swap. */
export function swapResources(
  pod: Pod,
  container: Container,
  { settings, memoryLimit }: { readonly settings: ConfigSettings; readonly memoryLimit: bigint },
): Partial<Pick<LinuxContainerResources, 'unified' | 'memorySwapLimitInBytes'>> {
  if (!settings.swapControllerAvailable) return {};
  if (!settings.cgroupV2) return { memorySwapLimitInBytes: memoryLimit };
  const swap = swapBehavior(pod, container, settings) === 'LimitedSwap' ? proportionalSwap(container, settings) : 0n;
  return { unified: { 'memory.swap.max': String(swap) } };
}

/** The share of the machine's swap that equals the request's share of its memory. 0 if the request exceeds the memory. */
function proportionalSwap({ resources }: Container, { memoryCapacity, swapCapacity }: ConfigSettings): bigint {
  const request = Number(wholeValue(ownField(resources.requests, 'memory') ?? '0'));
  if (memoryCapacity <= 0 || request > memoryCapacity) return 0n;
  return BigInt(Math.trunc((request / memoryCapacity) * swapCapacity));
}
