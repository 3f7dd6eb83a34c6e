import type {
  Container,
  ContainerStatus,
  Pod,
  PodStatus,
  ResourceHealth,
  ResourceStatus,
} from '#lib/api/types/core.v1.ts';
import type { ClaimInfo, PreparedDevice } from './claim-info.ts';
import type { DeviceHealths } from './health.ts';
import { claimNameOf } from './pod-claim-names.ts';

/** The claims and device health for a status. */
export interface ClaimHealth {
  /** The claim with this name in a namespace, or undefined if unknown. */
  claimInfo(namespace: string, name: string): ClaimInfo | undefined;
  readonly healths: Pick<DeviceHealths, 'get'>;
}

/** The status with the health of the DRA devices of its app containers. Entries of device plugins stay unchanged. */
export function withClaimHealth(pod: Pod, status: PodStatus, sources: ClaimHealth): PodStatus {
  if (status.containerStatuses === undefined) return status;
  const containerStatuses = status.containerStatuses.map((one) => {
    const container = pod.spec.containers?.find(({ name }) => name === one.name);
    return container?.resources.claims === undefined ? one : withHealth(pod, container, { status: one, sources });
  });
  return { ...status, containerStatuses };
}

function withHealth(
  pod: Pod,
  { resources }: Container,
  { status, sources }: { readonly status: ContainerStatus; readonly sources: ClaimHealth },
): ContainerStatus {
  const statuses = new Map((status.allocatedResourcesStatus ?? []).map((one) => [one.name, one]));
  for (const { name, request = '' } of resources.claims ?? []) {
    const info = infoOf(pod, name, sources);
    if (info === undefined) continue;
    const key = request === '' ? `claim:${name}` : `claim:${name}/${request}`;
    statuses.set(key, { name: key, resources: healthsOf(info, request, sources) });
  }
  const shown = [...statuses.values()].filter((one): one is ResourceStatus => (one.resources ?? []).length > 0);
  return { ...status, allocatedResourcesStatus: shown };
}

function infoOf(pod: Pod, claim: string, sources: ClaimHealth): ClaimInfo | undefined {
  const entry = pod.spec.resourceClaims?.find(({ name }) => name === claim);
  const made =
    entry?.resourceClaimName !== undefined || pod.status.resourceClaimStatuses?.some(({ name }) => name === claim);
  if (entry === undefined || made !== true) return undefined;
  const name = claimNameOf(pod, entry)?.name;
  return name === undefined ? undefined : sources.claimInfo(pod.metadata.namespace ?? '', name);
}

/** One entry for each device of the request, without duplicate names. */
function healthsOf({ drivers }: ClaimInfo, request: string, { healths }: ClaimHealth): ResourceHealth[] {
  const base = request.split('/')[0] ?? '';
  const found = new Map<string, ResourceHealth>();
  for (const [driver, devices] of drivers) {
    for (const device of devices) {
      const { requestNames, poolName, deviceName } = device;
      if (request !== '' && requestNames.length > 0 && !requestNames.includes(base)) continue;
      const resourceID = resourceIDOf(driver, device);
      if (found.has(resourceID)) continue;
      const { health, message } = healths.get(driver, poolName, deviceName);
      found.set(resourceID, { resourceID, health, ...(message === '' ? {} : { message }) });
    }
  }
  return [...found.values()];
}

const resourceIDOf = (driver: string, { cdiDeviceIDs, poolName, deviceName }: PreparedDevice): string =>
  cdiDeviceIDs[0] ?? `${driver}/${poolName}/${deviceName}`;
