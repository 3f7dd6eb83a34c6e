import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { Endpoint } from './endpoint.ts';
import { PodDevices } from './pod-devices.ts';
import { ResourceDevices } from './resource-devices.ts';

/** Devices reserved by an allocation in progress. They are unavailable until it releases them. */
export interface Reservation {
  readonly resource: string;
  readonly ids: Set<string>;
}

/** The resources of device plugins, their devices, and the allocations. */
export class DeviceState {
  /** Plugin endpoints by resource. */
  readonly endpoints = new Map<string, Endpoint>();
  readonly podDevices = new PodDevices();
  /** Devices by resource, including removed resources that pods still use. */
  readonly #devices = new Map<string, ResourceDevices>();
  readonly #registered = new Set<string>();
  readonly #reservations = new Set<Reservation>();

  /** Resources whose plugin has reported devices, now or before a restart. */
  get registered(): ReadonlySet<string> {
    return this.#registered;
  }

  /** The devices of a resource. Empty if no plugin has reported any. */
  devices(resource: string): ResourceDevices {
    return this.#devices.get(resource) ?? new ResourceDevices();
  }

  /** Registers a resource, without devices if it has none yet. */
  register(resource: string): ResourceDevices {
    this.#registered.add(resource);
    const devices = this.devices(resource);
    this.#devices.set(resource, devices);
    return devices;
  }

  /** Removes a resource. The last health of allocated devices is kept. */
  remove(resource: string): void {
    this.endpoints.delete(resource);
    this.#registered.delete(resource);
    this.#devices.get(resource)?.strand();
    if (!this.podDevices.hasResource(resource)) this.#devices.delete(resource);
  }

  /** Whether the resource belongs to device plugins: it is registered, or a pod has devices of it. */
  isDevicePluginResource(resource: string): boolean {
    return this.#registered.has(resource) || this.podDevices.hasResource(resource);
  }

  /** Healthy devices that are neither allocated nor reserved, in the plugin's order. */
  available(resource: string): string[] {
    return [...this.devices(resource).healthy].filter((id) => this.isAvailable(resource, id));
  }

  /** Whether a device is healthy and unused. */
  isAvailable(resource: string, id: string): boolean {
    if (!this.devices(resource).healthy.has(id) || this.podDevices.isAllocated(resource, id)) return false;
    for (const reservation of this.#reservations)
      if (reservation.resource === resource && reservation.ids.has(id)) return false;
    return true;
  }

  /** The last health that a plugin reported for a device, or undefined without a report. */
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
