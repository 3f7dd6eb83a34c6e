import { isSidecar } from '#lib/component-helpers/resource/sidecar.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { parseQuantity, quantityValue } from '#lib/machinery/resource/quantity.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';

/** What containers ask for as resources, as requests of a claim, and which request is for whom. */
export interface DeviceRequests {
  readonly requests: readonly JsonObject[];
  readonly mappings: readonly JsonObject[];
}

interface Container {
  readonly object: JsonObject;
  /** Among all, those that initialize first. */
  readonly index: number;
  /** Ends before those begin that come after it. */
  readonly isBrief: boolean;
}

interface Request {
  readonly name: string;
  readonly container: number;
  readonly count: number;
}

/** For each resource its class by name: upstream's createRequestsAndMappings. */
export function deviceRequests(pod: JsonObject, classes: ReadonlyMap<string, string>): DeviceRequests {
  const containers = containersOf(pod);
  const all = [...classes.keys()].sort().map((resource) => ofResource(containers, resource));
  const requests = all.flatMap(({ requests: some, resource }) =>
    some.map(({ name, count }) => ({
      name,
      exactly: { deviceClassName: classes.get(resource) ?? '', allocationMode: 'ExactCount', count },
    })),
  );
  return {
    requests: requests.sort((a, b) => (a.name < b.name ? -1 : 1)),
    mappings: all.flatMap(({ mappings }) => mappings),
  };
}

function containersOf(pod: JsonObject): Container[] {
  const spec = objectAt(pod, 'spec');
  const [first, then] = [items(spec, 'initContainers'), items(spec, 'containers')];
  return [...first, ...then].map((object, index) => ({
    object,
    index,
    isBrief: index < first.length && !isSidecar(object),
  }));
}

/** Brief containers use what later ones will have, and share the largest of what they need beyond that. */
function ofResource(
  containers: readonly Container[],
  resource: string,
): { readonly resource: string; readonly requests: readonly Request[]; readonly mappings: readonly JsonObject[] } {
  const lasting = containers.filter(({ isBrief }) => !isBrief).flatMap((one) => requestOf(one, resource, 0) ?? []);
  const brief = containers.filter(({ isBrief }) => isBrief).map((one) => briefly(one, resource, lasting));
  const own = brief.flatMap((one) => one.request ?? []);
  const largest = own.reduce<Request | undefined>(
    (most, one) => (most && most.count >= one.count ? most : one),
    undefined,
  );
  const mapping = (container: Container | undefined, requestName: string): JsonObject => ({
    containerName: text(container?.object, 'name'),
    resourceName: resource,
    requestName,
  });
  return {
    resource,
    requests: [...(largest === undefined ? [] : [largest]), ...lasting],
    mappings: [
      ...lasting.map((one) => mapping(containers[one.container], one.name)),
      ...brief.flatMap(({ container, reused, request }) => [
        ...reused.map((one) => mapping(container, one.name)),
        ...(request === undefined || largest === undefined ? [] : [mapping(container, largest.name)]),
      ]),
    ],
  };
}

interface Brief {
  readonly container: Container;
  readonly reused: readonly Request[];
  readonly request: Request | undefined;
}

function briefly(container: Container, resource: string, lasting: readonly Request[]): Brief {
  const wanted = amountOf(container.object, resource);
  const reused: Request[] = [];
  let had = 0;
  for (const one of lasting.filter((request) => request.container > container.index)) {
    if (had >= wanted) break;
    reused.push(one);
    had += one.count;
  }
  return { container, reused, request: had >= wanted ? undefined : requestOf(container, resource, had) };
}

/** Named after the places of the container and of the resource among its requests. */
function requestOf({ object, index }: Container, resource: string, had: number): Request | undefined {
  const count = amountOf(object, resource) - had;
  if (count <= 0) return undefined;
  const place = Object.keys(at(object, 'resources', 'requests') ?? {})
    .sort()
    .indexOf(resource);
  return { name: `container-${index}-request-${place}`, container: index, count };
}

function amountOf(container: JsonObject, resource: string): number {
  const amount = text(at(container, 'resources', 'requests'), resource);
  return amount === '' ? 0 : Number(quantityValue(parseQuantity(amount)));
}
