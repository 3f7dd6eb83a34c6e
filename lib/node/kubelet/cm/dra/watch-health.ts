import type { Clock } from '#lib/machinery/clock.ts';
import type { DRAHealthClient } from '#lib/node/kubelet-api/services.ts';
import type { DeviceHealths } from './health.ts';

/** Delay in ms until the watch of a driver is retried after its stream ended. */
const RETRY = 5000;

/** The settings and ports of a watch of a driver's devices. */
export interface HealthWatchConfig {
  readonly driverName: string;
  readonly client: DRAHealthClient;
  readonly healths: DeviceHealths;
  readonly clock: Clock;
  /** UIDs of the pods that use a device. */
  podsWithDevice(driverName: string, poolName: string, deviceName: string): readonly string[];
  /** Called with the UIDs of pods whose devices changed health. */
  podsChanged(podUIDs: readonly string[]): void;
  /** Called if the driver does not report health or the stream fails. The service is optional for drivers. */
  onFault(error: unknown): void;
}

/** Watches the health of a driver's devices until the signal aborts. The reported health is forgotten when the stream ends. */
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
