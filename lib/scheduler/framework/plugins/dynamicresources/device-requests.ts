import type { Container as ApiContainer, ContainerExtendedResourceRequest, Pod } from '#lib/api/types/core.v1.ts';
import type { DeviceRequest } from '#lib/api/types/resource.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { parseQuantity, quantityValue } from '#lib/machinery/resource/quantity.ts';

/** The claim requests for the extended resources of containers, with the container and resource of each request. */
export interface DeviceRequests {
  readonly requests: readonly DeviceRequest[];
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

interface Container {
  readonly object: ApiContainer;
  /** The index among all containers, init containers first. */
  readonly index: number;
  /** Whether the container ends before later containers start. */
  readonly isBrief: boolean;
}

interface Request {
  readonly name: string;
  readonly container: number;
  readonly count: number;
}

/** Creates the requests for a pod. `classes` maps each resource to its device class. Upstream's createRequestsAndMappings. */
export function deviceRequests(pod: Pod, classes: ReadonlyMap<string, string>): DeviceRequests {
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

function containersOf({ spec: { initContainers: first = [], containers } }: Pod): Container[] {
  return [...first, ...(containers ?? [])].map((object, index) => ({
    object,
    index,
    isBrief: index < first.length && !isSidecar(object),
  }));
}

/** Init containers that are not sidecars reuse the devices of later containers. If they need more, they share one request, the largest. */
function ofResource(
  containers: readonly Container[],
  resource: string,
): { readonly resource: string; readonly requests: readonly Request[]; readonly mappings: DeviceRequests['mappings'] } {
  const lasting = containers.filter(({ isBrief }) => !isBrief).flatMap((one) => requestOf(one, resource, 0) ?? []);
  const brief = containers.filter(({ isBrief }) => isBrief).map((one) => briefly(one, resource, lasting));
  const own = brief.flatMap((one) => one.request ?? []);
  const largest = own.reduce<Request | undefined>(
    (most, one) => (most && most.count >= one.count ? most : one),
    undefined,
  );
  const mapping = (container: Container | undefined, requestName: string): ContainerExtendedResourceRequest => ({
    containerName: container?.object.name ?? '',
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
  const amount = amountOf(container.object, resource);
  const reused: Request[] = [];
  let had = 0;
  for (const one of lasting.filter((request) => request.container > container.index)) {
    if (had >= amount) break;
    reused.push(one);
    had += one.count;
  }
  return { container, reused, request: had >= amount ? undefined : requestOf(container, resource, had) };
}

/** Creates a container's request. Its name has the container's index and the resource's index in the container's requests. */
function requestOf({ object, index }: Container, resource: string, had: number): Request | undefined {
  const count = amountOf(object, resource) - had;
  if (count <= 0) return undefined;
  const place = Object.keys(object.resources.requests ?? {})
    .sort()
    .indexOf(resource);
  return { name: `container-${index}-request-${place}`, container: index, count };
}

function amountOf({ resources }: ApiContainer, resource: string): number {
  const amount = ownField(resources.requests, resource);
  return amount === undefined ? 0 : Number(quantityValue(parseQuantity(amount)));
}
