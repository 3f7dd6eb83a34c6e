import type { DeviceClass } from '#lib/api/types/resource.v1.ts';
import { creationTimeOf, nameOf } from '#lib/machinery/meta.ts';

/** The prefix of the implicit resource name of a class. It works even if the class specifies another resource name. */
export const DEVICE_CLASS_PREFIX = 'deviceclass.resource.kubernetes.io/';

/** A lister of device classes. */
export interface DeviceClasses {
  get(namespace: string, name: string): DeviceClass | undefined;
  list(): Iterable<DeviceClass>;
}

/**
 * The class that provides this resource (KEP-5004): the youngest class that specifies it, then the first by name. Upstream's
 * GetDeviceClass.
 */
export function deviceClassFor(classes: DeviceClasses, resource: string): DeviceClass | undefined {
  if (resource.startsWith(DEVICE_CLASS_PREFIX)) return classes.get('', resource.slice(DEVICE_CLASS_PREFIX.length));
  const born = (one: DeviceClass): number => creationTimeOf(one)?.getTime() ?? 0;
  return [...classes.list()]
    .filter((one) => one.spec.extendedResourceName === resource)
    .sort((a, b) => born(b) - born(a) || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}
