import type { Service } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { isOfOtherProxy, nameOfService } from './service-port.ts';
import type { ServiceName } from './types.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';
const HEADLESS = 'service.kubernetes.io/headless';

/** The latest Services and EndpointSlices from the API (upstream: ServiceChangeTracker, EndpointsChangeTracker). */
export class ServiceState {
  readonly #services = new Map<ServiceName, Service>();
  readonly #slices = new Map<ServiceName, Map<string, EndpointSlice>>();
  /** The Service of each slice, because the slice's label may change. */
  readonly #owners = new Map<string, ServiceName>();

  /** Stores a new or changed Service. Returns its name. */
  putService(service: Service): ServiceName {
    const name = nameOfService(service.metadata.namespace, service.metadata.name);
    this.#services.set(name, service);
    return name;
  }

  /** Removes a Service. Returns its name. */
  deleteService(namespace: string, name: string): ServiceName {
    const service = nameOfService(namespace, name);
    this.#services.delete(service);
    return service;
  }

  /**
   * Stores a new or changed slice. Returns the names of the Services whose endpoints it changes. Empty for slices that no node forwards to.
   */
  putSlice(slice: EndpointSlice): readonly ServiceName[] {
    const { namespace = '', name = '', labels } = slice.metadata;
    const before = this.deleteSlice(namespace, name);
    const service = ownField(labels, SERVICE_NAME) ?? '';
    if (service === '' || ownField(labels, HEADLESS) !== undefined || isOfOtherProxy(labels)) return before;
    const owner = nameOfService(namespace, service);
    const slices = this.#slices.get(owner) ?? new Map<string, EndpointSlice>();
    this.#slices.set(owner, slices.set(`${namespace}/${name}`, slice));
    this.#owners.set(`${namespace}/${name}`, owner);
    return before.includes(owner) ? before : [...before, owner];
  }

  /** Removes a slice. Returns the name of its Service, if it had one. */
  deleteSlice(namespace: string, name: string): readonly ServiceName[] {
    const key = `${namespace}/${name}`;
    const owner = this.#owners.get(key);
    if (owner === undefined) return [];
    this.#owners.delete(key);
    const slices = this.#slices.get(owner);
    slices?.delete(key);
    if (slices?.size === 0) this.#slices.delete(owner);
    return [owner];
  }

  /** The names of all Services. */
  names(): Iterable<ServiceName> {
    return this.#services.keys();
  }

  /** The Service. Undefined if it does not exist. */
  service(name: ServiceName): Service | undefined {
    return this.#services.get(name);
  }

  /** The slices of a Service. */
  slices(name: ServiceName): Iterable<EndpointSlice> {
    return this.#slices.get(name)?.values() ?? [];
  }
}
