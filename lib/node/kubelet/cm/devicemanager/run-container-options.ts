import type { DeviceInfo, EnvVar, Mount } from '../../container/runtime.ts';
import type { DeviceAllocateInfo } from './pod-devices.ts';

/** The options that device plugins require for a container (upstream: DeviceRunContainerOptions). */
export interface DeviceRunContainerOptions {
  readonly envs: readonly EnvVar[];
  readonly mounts: readonly Mount[];
  readonly devices: readonly DeviceInfo[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly cdiDevices: readonly string[];
}

/** Settings by key. The first value of a key wins. */
class FirstWins<T> {
  readonly values = new Map<string, T>();
  readonly #conflict: (key: string, got: T, other: T) => void;

  constructor(conflict: (key: string, got: T, other: T) => void) {
    this.#conflict = conflict;
  }

  add(key: string, value: T): void {
    const got = this.values.get(key);
    if (got === undefined) this.values.set(key, value);
    else this.#conflict(key, got, value);
  }
}

/** The settings from all resources of a container. `onConflict` is called if two resources require different values. */
export function deviceRunContainerOptions(
  allocations: Iterable<DeviceAllocateInfo>,
  onConflict: (message: string) => void,
): DeviceRunContainerOptions {
  const texts = (what: string): FirstWins<string> =>
    new FirstWins((key, got, other) => {
      if (got !== other) onConflict(`${what} has conflicting setting: ${key} is ${got}, not ${other}`);
    });
  const envs = texts('Environment variable');
  const annotations = texts('Annotation');
  const devices = new FirstWins<DeviceInfo>((path, { pathOnHost }, other) => {
    if (pathOnHost !== other.pathOnHost)
      onConflict(
        `Container device has conflicting mapping host devices: ${path} is ${pathOnHost}, not ${other.pathOnHost}`,
      );
  });
  const mounts = new FirstWins<Mount>((path, { hostPath }, other) => {
    if (hostPath !== other.hostPath)
      onConflict(`Container mount has conflicting mapping host mounts: ${path} is ${hostPath}, not ${other.hostPath}`);
  });
  const cdiDevices = new Set<string>();
  for (const { allocResp } of allocations) {
    for (const [name, value] of Object.entries(allocResp.envs)) envs.add(name, value);
    for (const { containerPath, hostPath, permissions } of allocResp.devices)
      devices.add(containerPath, { pathInContainer: containerPath, pathOnHost: hostPath, permissions });
    for (const { containerPath, hostPath, readOnly } of allocResp.mounts)
      mounts.add(containerPath, { name: containerPath, containerPath, hostPath, readOnly });
    for (const [name, value] of Object.entries(allocResp.annotations)) annotations.add(name, value);
    for (const { name } of allocResp.cdiDevices) cdiDevices.add(name);
  }
  return {
    envs: [...envs.values].map(([name, value]) => ({ name, value })),
    mounts: [...mounts.values.values()],
    devices: [...devices.values.values()],
    annotations: Object.fromEntries(annotations.values),
    cdiDevices: [...cdiDevices],
  };
}
