import type { Clock } from '#lib/machinery/clock.ts';
import type { DRAHealthClient } from '#lib/node/kubelet-api/services.ts';
import type { DeviceHealths } from './health.ts';

/** Milliseconds until a driver whose stream ended is asked again. */
const RETRY = 5000;

/** The surroundings of the watch over a driver's devices. */
export interface HealthWatchConfig {
  readonly driverName: string;
  readonly client: DRAHealthClient;
  readonly healths: DeviceHealths;
  readonly clock: Clock;
  /** Uids of the pods that have a device. */
  podsWithDevice(driverName: string, poolName: string, deviceName: string): readonly string[];
  /** The devices of these pods have another health. */
  podsChanged(podUIDs: readonly string[]): void;
  /** The driver does not tell, or ended the stream by an error: drivers need not have the service. */
  onFault(error: unknown): void;
}

/** Follows the health of a driver's devices until the signal aborts. What a driver told is forgotten when its stream ends. */
export async function watchHealth(config: HealthWatchConfig, signal: AbortSignal): Promise<void> {
  const { client, driverName, healths, clock, onFault } = config;
  while (!signal.aborted) {
    try {
      for await (const response of client.nodeWatchResources({}, { signal })) {
        const changed = healths.update(driverName, response);
        const uids = changed.flatMap((one) => config.podsWithDevice(driverName, one.poolName, one.deviceName));
        if (uids.length > 0) config.podsChanged([...new Set(uids)]);
      }
    } catch (error) {
      if (!signal.aborted) onFault(error);
    } finally {
      healths.clear(driverName);
    }
    await clock.sleep(RETRY, signal);
  }
}
