import type { Clock } from '#lib/machinery/clock.ts';
import {
  type DeviceHealth,
  HealthStatus,
  type NodeWatchResourcesResponse,
} from '#lib/node/kubelet-api/generated/dra-health-v1alpha1.ts';

/** Validity of a reported health in ms, unless the driver sets a time-out. */
const DEFAULT_TIMEOUT = 30_000;
/** Maximum length of a message in a pod's status, in characters. */
const MAX_MESSAGE = 1024;

/** The reported health of a device. */
export interface DeviceHealthInfo {
  readonly health: 'Healthy' | 'Unhealthy' | 'Unknown';
  readonly message: string;
}

interface Told extends DeviceHealthInfo {
  readonly poolName: string;
  readonly deviceName: string;
  /** Monotonic time, so that changes of the wall clock do not expire a report. */
  readonly lastUpdated: number;
  readonly timeout: number;
}

const UNKNOWN: DeviceHealthInfo = { health: 'Unknown', message: '' };

/** A device whose health changed. */
export interface ChangedDevice {
  readonly poolName: string;
  readonly deviceName: string;
}

/** The health of devices by driver (upstream: healthInfoCache). It is not persisted: drivers report it again on a new watch. */
export class DeviceHealths {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #drivers = new Map<string, Map<string, Told>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Unknown if the driver has not reported the health, or not recently enough. */
  get(driverName: string, poolName: string, deviceName: string): DeviceHealthInfo {
    const told = this.#drivers.get(driverName)?.get(`${poolName}/${deviceName}`);
    return told === undefined || this.#isStale(told) ? UNKNOWN : told;
  }

  /** Records a driver's report. Returns the devices whose health changed. Missing devices become unknown after their time-out. */
  update(driverName: string, { devices }: NodeWatchResourcesResponse): ChangedDevice[] {
    const known = this.#drivers.get(driverName) ?? new Map<string, Told>();
    this.#drivers.set(driverName, known);
    const reported = new Map(
      devices.map((device) => toldOf(device, this.#clock.monotonic())).map((told) => [keyOf(told), told]),
    );
    const stale = [...known.values()]
      .filter((told) => !reported.has(keyOf(told)) && told.health !== 'Unknown' && this.#isStale(told))
      .map((told): Told => ({ ...told, ...UNKNOWN, lastUpdated: this.#clock.monotonic() }));
    const changed: Told[] = stale;
    for (const [key, told] of reported) {
      const before = known.get(key);
      const isSame =
        before?.health === told.health && before.message === told.message && before.timeout === told.timeout;
      if (!isSame) changed.push(told);
      known.set(key, told);
    }
    for (const told of stale) known.set(keyOf(told), told);
    return changed;
  }

  /** Removes the health of a driver that is no longer watched. */
  clear(driverName: string): void {
    this.#drivers.delete(driverName);
  }

  #isStale({ lastUpdated, timeout }: Told): boolean {
    return this.#clock.monotonic() - lastUpdated > timeout;
  }
}

const keyOf = ({ poolName, deviceName }: Told): string => `${poolName}/${deviceName}`;

function toldOf({ device, health, healthCheckTimeoutSeconds: seconds, message }: DeviceHealth, now: number): Told {
  return {
    poolName: device?.poolName ?? '',
    deviceName: device?.deviceName ?? '',
    health: healthOf(health),
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 3)}...` : message,
    lastUpdated: now,
    timeout: seconds > 0 ? seconds * 1000 : DEFAULT_TIMEOUT,
  };
}

function healthOf(health: HealthStatus): DeviceHealthInfo['health'] {
  if (health === HealthStatus.HEALTHY) return 'Healthy';
  return health === HealthStatus.UNHEALTHY ? 'Unhealthy' : 'Unknown';
}
