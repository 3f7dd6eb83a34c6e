import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { TopologyHint } from '../topologymanager/hint-provider.ts';
import { filterByAffinity } from './filter-by-affinity.ts';
import type { ContainerKey } from './pod-devices.ts';
import type { DeviceState, Reservation } from './state.ts';

/** A container's request for devices of one resource. */
export interface DeviceRequest {
  readonly key: ContainerKey;
  readonly resource: string;
  readonly required: number;
  /** IDs that the pod's init containers used. */
  readonly reusable: ReadonlySet<string>;
  readonly hint: TopologyHint;
  /** Whether the container was running when the agent started and pod sources are not ready. It then has its devices already. */
  readonly isRunning: boolean;
}

/**
 * Chooses and reserves devices for a container: reusable ones first, then those of the affinity. It prefers the plugin's choice. Undefined
 * if the container needs none. Throws Error with upstream's text if there are not enough.
 */
export async function devicesToAllocate(state: DeviceState, request: DeviceRequest): Promise<Reservation | undefined> {
  if (!needsDevices(state, request)) return undefined;
  const reservation = state.reserve(request.resource);
  try {
    await choose(state, request, reservation);
    return reservation;
  } catch (error) {
    state.release(reservation);
    throw error;
  }
}

function needsDevices(state: DeviceState, { key, resource, required, isRunning }: DeviceRequest): boolean {
  const { podUID, containerName } = key;
  const before = state.podDevices.containerDevices(key, resource);
  if (before !== undefined && before.size !== required)
    throw new Error(
      `pod ${quote(podUID)} container ${quote(containerName)} changed request for resource ${quote(resource)} from ${before.size} to ${required}`,
    );
  if (isRunning) return false;
  if (!state.registered.has(resource)) throw new Error(`cannot allocate unregistered device ${resource}`);
  const { healthy } = state.devices(resource);
  if (healthy.size === 0) throw new Error(`no healthy devices present; cannot allocate unhealthy devices ${resource}`);
  if (before !== undefined && ![...before].every((id) => healthy.has(id)))
    throw new Error(
      `previously allocated devices are no longer healthy; cannot allocate unhealthy devices ${resource}`,
    );
  return before === undefined && required > 0;
}

async function choose(state: DeviceState, request: DeviceRequest, { ids }: Reservation): Promise<void> {
  const { resource, required, hint } = request;
  /** Takes devices until there are enough. A device may have become unavailable during a call of the plugin. */
  const take = (from: Iterable<string>): boolean => {
    for (const id of from) {
      if (ids.size === required) break;
      if (state.isAvailable(resource, id)) ids.add(id);
    }
    return ids.size === required;
  };
  const preferred = async (from: readonly string[]): Promise<string[]> => {
    const choice = await preferredAllocation(state, resource, { from, mustInclude: ids, size: required });
    return choice.length === 0 ? [] : intersection(choice, from);
  };

  for (const id of request.reusable) if (ids.size < required) ids.add(id);
  if (ids.size === required) return;
  const available = state.available(resource);
  const needed = required - ids.size;
  if (available.length < needed)
    throw new Error(
      `requested number of devices unavailable for ${resource}. Requested: ${needed}, Available: ${available.length}`,
    );
  const { aligned, unaligned, noAffinity } = filterByAffinity(state.devices(resource), available, hint);
  if (needed < aligned.length) {
    if (take(await preferred(aligned)) || take(aligned)) return;
  } else {
    if (take(aligned)) return;
    if (take(await preferred(available)) || take(unaligned) || take(noAffinity)) return;
  }
  throw new Error(`unexpectedly allocated less resources than required. Requested: ${required}, Got: ${ids.size}`);
}

function intersection(a: readonly string[], b: readonly string[]): string[] {
  const inB = new Set(b);
  return a.filter((id) => inB.has(id));
}

/** The plugin's preferred devices. Empty if it does not offer preferences. */
async function preferredAllocation(
  state: DeviceState,
  resource: string,
  {
    from,
    mustInclude,
    size,
  }: {
    readonly from: readonly string[];
    readonly mustInclude: ReadonlySet<string>;
    readonly size: number;
  },
): Promise<string[]> {
  const endpoint = state.endpoints.get(resource);
  if (endpoint === undefined) throw new Error(`endpoint not found in cache for a registered resource: ${resource}`);
  if (!endpoint.getPreferredAllocationAvailable) return [];
  try {
    return await endpoint.getPreferredAllocation({ available: new Set([...from, ...mustInclude]), mustInclude, size });
  } catch (error) {
    throw new Error(`device plugin GetPreferredAllocation rpc failed with err: ${messageOfError(error)}`, {
      cause: error,
    });
  }
}
