import type { NodeSelector, NodeSelectorRequirement } from '#lib/api/types/core.v1.ts';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  ResourceClaim,
} from '#lib/api/types/resource.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { quantityText } from '#lib/machinery/resource/quantity.ts';
import type { Taken, Wanting } from './attempt.ts';
import type { Request } from './request.ts';
import type { Amounts } from './slice.ts';

/** The allocation of a claim. */
export function allocationResult(
  { claim, requests }: Wanting,
  taken: readonly Taken[],
  nodeName: string,
): AllocationResult {
  const chosen = requests.flatMap((alternatives) => chosenOf(alternatives, taken) ?? []);
  const config = [...classConfig(chosen), ...claimConfig(claim, chosen)];
  const nodeSelector = nodeSelectorOf(taken, nodeName);
  return {
    devices: { results: taken.map(resultOf), ...(config.length === 0 ? {} : { config }) },
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
  };
}

/** The alternative that got devices, or the first one for a request without devices. */
const chosenOf = (alternatives: readonly Request[], taken: readonly Taken[]): Request | undefined =>
  alternatives.find((one) => taken.some(({ request }) => request === one)) ?? alternatives[0];

/** An object with the list as its only field; an empty object for an empty list. */
const withList = <K extends string, T>(field: K, list: readonly T[] = []): { [F in K]?: T[] } =>
  (list.length === 0 ? {} : { [field]: list }) as { [F in K]?: T[] };

function resultOf({ request, device, shareId, consumed }: Taken): DeviceRequestAllocationResult {
  return {
    request: request.name,
    driver: device.driver,
    pool: device.pool,
    device: device.name,
    ...(request.isAdmin ? { adminAccess: true } : {}),
    ...withList('tolerations', request.object.tolerations),
    ...withList('bindingConditions', device.object.bindingConditions),
    ...withList('bindingFailureConditions', device.object.bindingFailureConditions),
    ...(shareId === undefined ? {} : { shareID: shareId }),
    ...(consumed === undefined || consumed.size === 0 ? {} : { consumedCapacity: amounts(consumed) }),
  };
}

const amounts = (consumed: Amounts): Record<string, string> =>
  Object.fromEntries([...consumed].map(([name, amount]) => [name, quantityText(amount)]));

/** The configuration of each class, once for all requests of the class. */
function classConfig(chosen: readonly Request[]): DeviceAllocationConfiguration[] {
  const byClass = Map.groupBy(chosen, ({ deviceClass }) => nameOf(deviceClass));
  return [...byClass.values()].flatMap((requests) => {
    const names = requests.map(({ name }) => name);
    const configs = requests[0]?.deviceClass.spec.config ?? [];
    return configs.map(({ opaque }) => ({
      source: 'FromClass',
      requests: names,
      ...(opaque === undefined ? {} : { opaque }),
    }));
  });
}

/** The claim's configuration for all requests and for the chosen ones. */
function claimConfig(claim: ResourceClaim, chosen: readonly Request[]): DeviceAllocationConfiguration[] {
  return (claim.spec.devices.config ?? []).flatMap(({ requests: wanted = [], opaque }) => {
    const uses =
      wanted.length === 0
        ? 1
        : chosen.filter(({ names, name }) => [names.request, name].some((one) => wanted.includes(one))).length;
    const config = {
      source: 'FromClaim',
      ...withList('requests', wanted),
      ...(opaque === undefined ? {} : { opaque }),
    };
    return Array.from({ length: uses }, () => ({ ...config }));
  });
}

/** The nodes that can use all the devices. This is one node if a device is local or binds to its node. Undefined for all nodes. */
function nodeSelectorOf(taken: readonly Taken[], nodeName: string): NodeSelector | undefined {
  if (taken.some(({ device }) => device.place.nodeName !== '' || device.object.bindsToNode === true))
    return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }] };
  const terms = taken.flatMap(({ device }) => device.place.nodeSelector?.nodeSelectorTerms ?? []);
  const term = {
    ...withList('matchFields', distinct(terms.flatMap(({ matchFields = [] }) => matchFields))),
    ...withList('matchExpressions', distinct(terms.flatMap(({ matchExpressions = [] }) => matchExpressions))),
  };
  return Object.keys(term).length === 0 ? undefined : { nodeSelectorTerms: [term] };
}

const distinct = (requirements: readonly NodeSelectorRequirement[]): NodeSelectorRequirement[] =>
  requirements.filter((one, i) => requirements.findIndex((other) => isSame(one, other)) === i);

const isSame = (a: NodeSelectorRequirement, b: NodeSelectorRequirement): boolean =>
  a.key === b.key && a.operator === b.operator && equal((a.values ?? []).toSorted(), (b.values ?? []).toSorted());
