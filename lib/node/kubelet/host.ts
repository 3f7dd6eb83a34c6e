import type { MachineInfo, VersionInfo } from './cadvisor.ts';

/** A network interface that is up. */
export interface HostInterface {
  readonly name: string;
  readonly loopback: boolean;
  /** Textual addresses, without prefix lengths. */
  readonly addresses: readonly string[];
}

/** The network of a machine, as far as it decides the address of its node. */
export interface HostNetwork {
  readonly interfaces: readonly HostInterface[];
  /** Interfaces of default routes, those of IPv4 first; undefined where the machine does not tell its routes. */
  readonly defaultRoutes: readonly { readonly interface: string; readonly family: 4 | 6 }[] | undefined;
}

/** A file system's size, in bytes and inodes. */
export interface FsInfo {
  readonly capacity: number;
  readonly available: number;
  /** Bytes that are taken; some that are free may be for root alone. Absent: those that are not available. */
  readonly used?: number;
  /** 0 where the file system does not count inodes. */
  readonly inodes: number;
  readonly inodesFree: number;
}

/** The machine under a node. Every method rejects where the machine does not tell. */
export interface Host {
  machineInfo(): Promise<MachineInfo>;
  versionInfo(): Promise<VersionInfo>;
  network(): Promise<HostNetwork>;
  /** The addresses of a name by DNS and /etc/hosts; none where it has none. */
  lookup(name: string): Promise<readonly string[]>;
  /** The file system of the agent's folder. */
  rootFs(): Promise<FsInfo>;
  /** Bytes that programs can still get without swapping. */
  memoryAvailable(): Promise<number>;
}
