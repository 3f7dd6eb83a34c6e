import type { Pod } from '#lib/api/types/core.v1.ts';
import type {
  Device,
  DeviceRequestAllocationResult,
  DeviceTaint,
  DeviceToleration,
  ResourceClaim,
  ResourceSlice,
} from '#lib/api/types/resource.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { tolerates } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { claimNames } from '../resourceclaim/decide.ts';

const EVICTS = 'NoExecute';

const results = ({ status }: ResourceClaim): readonly DeviceRequestAllocationResult[] =>
  status.allocation?.devices.results ?? [];

const poolText = (driver: string, pool: string): string => JSON.stringify([driver, pool]);

/** The pools of a claim's allocated devices, each as one string. */
export const poolsOf = (claim: ResourceClaim): readonly string[] => [
  ...new Set(results(claim).map(({ driver, pool }) => poolText(driver, pool))),
];

/** The drivers of a claim's allocated devices. */
export const driversOf = (claim: ResourceClaim): readonly string[] => [
  ...new Set(results(claim).map(({ driver }) => driver)),
];

/** The pool that a slice belongs to. */
export const poolOf = ({ spec }: ResourceSlice): string => poolText(spec.driver, spec.pool.name);

/** Whether a device of the slice has a taint that evicts pods. */
export const isTainted = ({ spec: { devices = [] } }: ResourceSlice): boolean =>
  devices.some((device) => evicting(device).length > 0);

const evicting = ({ taints = [] }: Device): readonly DeviceTaint[] => taints.filter(({ effect }) => effect === EVICTS);

/** The time, in ms since 1970, at which pods that use the claim are evicted. Undefined if they may stay. */
export function evictionTime(claim: ResourceClaim, slices: readonly ResourceSlice[]): number | undefined {
  const times = results(claim).flatMap((result) => {
    const tolerations = (result.tolerations ?? []).filter(({ effect }) => effect === EVICTS);
    return taintsOf(result, slices).map((taint) => timeOf(taint, tolerations));
  });
  const first = Math.min(Infinity, ...times);
  return first === Infinity ? undefined : first;
}

/** Only slices of the pool's latest generation count. */
function taintsOf(result: DeviceRequestAllocationResult, slices: readonly ResourceSlice[]): readonly DeviceTaint[] {
  const pool = poolText(result.driver, result.pool);
  const all = slices.filter((slice) => poolOf(slice) === pool);
  const generationOf = ({ spec }: ResourceSlice): number => Number(spec.pool.generation);
  const last = Math.max(...all.map(generationOf));
  const device = all
    .filter((slice) => generationOf(slice) === last)
    .flatMap(({ spec }) => spec.devices ?? [])
    .find(({ name }) => name === result.device);
  return device === undefined ? [] : evicting(device);
}

function timeOf(taint: DeviceTaint, tolerations: readonly DeviceToleration[]): number {
  const added = Date.parse(taint.timeAdded ?? '') || 0;
  const matching = tolerations.filter((one) => tolerates(one, taint));
  if (matching.length === 0) return added;
  const seconds = matching.map(({ tolerationSeconds }) => tolerationSeconds);
  if (seconds.includes(undefined)) return Infinity;
  return added + Math.max(0, Math.min(...seconds.map(Number))) * 1000;
}

/** Whether the pod that reserved the claim under this uid is scheduled and uses the claim. */
export const uses = (pod: Pod, uid: string, claim: ResourceClaim): boolean =>
  uidOf(pod) === uid && !isDeleting(pod) && nodeNameOf(pod) !== '' && claimNames(pod).includes(nameOf(claim));
