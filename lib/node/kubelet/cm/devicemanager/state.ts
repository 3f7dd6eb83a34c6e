import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { Endpoint } from './endpoint.ts';
import { PodDevices } from './pod-devices.ts';
import { ResourceDevices } from './resource-devices.ts';

/** Devices that an allocation under way has taken; nobody else gets them before it is released. */
export interface Reservation {
  readonly resource: string;
  readonly ids: Set<string>;
}

/** The resources of device plugins, their devices, and who has them. */
export class DeviceState {
  /** The plugins by resource. */
  readonly endpoints = new Map<string, Endpoint>();
  readonly podDevices = new PodDevices();
  /** Devices by resource, also of resources that are gone and that pods still have. */
  readonly #devices = new Map<string, ResourceDevices>();
  readonly #registered = new Set<string>();
  readonly #reservations = new Set<Reservation>();

  /** Resources whose plugin told devices, now or before a restart. */
  get registered(): ReadonlySet<string> {
    return this.#registered;
  }

  /** The devices of a resource; none where no plugin told any. */
  devices(resource: string): ResourceDevices {
    return this.#devices.get(resource) ?? new ResourceDevices();
  }

  /** Makes a resource known, without devices where it has none yet. */
  register(resource: string): ResourceDevices {
    this.#registered.add(resource);
    const devices = this.devices(resource);
    this.#devices.set(resource, devices);
    return devices;
  }

  /** Forgets a resource. The last health of devices that pods have stays known. */
  remove(resource: string): void {
    this.endpoints.delete(resource);
    this.#registered.delete(resource);
    this.#devices.get(resource)?.strand();
    if (!this.podDevices.hasResource(resource)) this.#devices.delete(resource);
  }

  /** Whether devices of a plugin are meant: the resource is registered, or a pod has some of it. */
  isDevicePluginResource(resource: string): boolean {
    return this.#registered.has(resource) || this.podDevices.hasResource(resource);
  }

  /** Healthy devices that no container has and no allocation has taken, in the order in which the plugin told them. */
  available(resource: string): string[] {
    return [...this.devices(resource).healthy].filter((id) => this.isAvailable(resource, id));
  }

  /** Whether nobody has a device and it is healthy. */
  isAvailable(resource: string, id: string): boolean {
    if (!this.devices(resource).healthy.has(id) || this.podDevices.isAllocated(resource, id)) return false;
    for (const reservation of this.#reservations)
      if (reservation.resource === resource && reservation.ids.has(id)) return false;
    return true;
  }

  /** The last health that a plugin told of a device; undefined where none told any. */
  healthOf(resource: string, id: string): Device['health'] | undefined {
    return this.#devices.get(resource)?.get(id)?.health;
  }

  reserve(resource: string): Reservation {
    const reservation = { resource, ids: new Set<string>() };
    this.#reservations.add(reservation);
    return reservation;
  }

  release(reservation: Reservation): void {
    this.#reservations.delete(reservation);
  }
}
