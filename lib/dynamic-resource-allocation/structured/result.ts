import { equal, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { quantityText } from '#lib/machinery/resource/quantity.ts';
import { at, flag, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { Taken, Wanting } from './attempt.ts';
import type { Request } from './request.ts';
import type { Amounts } from './slice.ts';

/** A `resource.k8s.io/v1` AllocationResult. */
export function allocationResult({ claim, requests }: Wanting, taken: readonly Taken[], nodeName: string): JsonObject {
  const chosen = requests.flatMap((alternatives) => chosenOf(alternatives, taken) ?? []);
  const config = [...classConfig(chosen), ...claimConfig(claim, chosen)];
  const nodeSelector = nodeSelectorOf(taken, nodeName);
  return {
    devices: { results: taken.map(resultOf), ...(config.length === 0 ? {} : { config }) },
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
  };
}

/** The alternative that has devices; of a request for none the first. */
const chosenOf = (alternatives: readonly Request[], taken: readonly Taken[]): Request | undefined =>
  alternatives.find((one) => taken.some(({ request }) => request === one)) ?? alternatives[0];

const present = (object: JsonObject, ...fields: string[]): JsonObject =>
  Object.fromEntries(
    fields
      .map((field) => [field, ownField(object, field)] as const)
      .filter((entry): entry is readonly [string, Json] => Array.isArray(entry[1]) && entry[1].length > 0),
  );

function resultOf({ request, device, shareId, consumed }: Taken): JsonObject {
  return {
    request: request.name,
    driver: device.driver,
    pool: device.pool,
    device: device.name,
    ...(request.isAdmin ? { adminAccess: true } : {}),
    ...present(request.object, 'tolerations'),
    ...present(device.object, 'bindingConditions', 'bindingFailureConditions'),
    ...(shareId === undefined ? {} : { shareID: shareId }),
    ...(consumed === undefined || consumed.size === 0 ? {} : { consumedCapacity: amounts(consumed) }),
  };
}

const amounts = (consumed: Amounts): JsonObject =>
  Object.fromEntries([...consumed].map(([name, amount]) => [name, quantityText(amount)]));

/** Of each class once, for all requests of it. */
function classConfig(chosen: readonly Request[]): JsonObject[] {
  const byClass = Map.groupBy(chosen, ({ deviceClass }) => nameOf(deviceClass));
  return [...byClass.values()].flatMap((requests) => {
    const names = requests.map(({ name }) => name);
    const configs = items(objectAt(requests[0]?.deviceClass, 'spec'), 'config');
    return configs.map((config) => ({ source: 'FromClass', requests: names, ...config }));
  });
}

/** Those for all requests, and those for what was chosen. */
function claimConfig(claim: JsonObject, chosen: readonly Request[]): JsonObject[] {
  return items(at(claim, 'spec', 'devices'), 'config').flatMap((config) => {
    const wanted = texts(config, 'requests');
    const uses =
      wanted.length === 0
        ? 1
        : chosen.filter(({ names, name }) => [names.request, name].some((one) => wanted.includes(one))).length;
    return Array.from({ length: uses }, () => ({ source: 'FromClaim', ...config }));
  });
}

/** Where all of it can be had: one node, where a device is one's own or binds to it. Undefined: anywhere. */
function nodeSelectorOf(taken: readonly Taken[], nodeName: string): JsonObject | undefined {
  if (taken.some(({ device }) => device.place.nodeName !== '' || flag(device.object, 'bindsToNode') === true))
    return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }] };
  const terms = taken.flatMap(({ device }) => items(device.place.nodeSelector, 'nodeSelectorTerms'));
  const [matchFields, matchExpressions] = ['matchFields', 'matchExpressions'].map((field) =>
    distinct(terms.flatMap((term) => items(term, field))),
  );
  const term = {
    ...(matchFields === undefined || matchFields.length === 0 ? {} : { matchFields }),
    ...(matchExpressions === undefined || matchExpressions.length === 0 ? {} : { matchExpressions }),
  };
  return Object.keys(term).length === 0 ? undefined : { nodeSelectorTerms: [term] };
}

const distinct = (requirements: readonly JsonObject[]): JsonObject[] =>
  requirements.filter((one, i) => requirements.findIndex((other) => isSame(one, other)) === i);

const isSame = (a: JsonObject, b: JsonObject): boolean =>
  text(a, 'key') === text(b, 'key') &&
  text(a, 'operator') === text(b, 'operator') &&
  equal(texts(a, 'values').toSorted(), texts(b, 'values').toSorted());
