import type { MachineInfo, VersionInfo } from './cadvisor.ts';

/** A network interface that is up. */
export interface HostInterface {
  readonly name: string;
  readonly loopback: boolean;
  /** Textual addresses without prefix lengths. */
  readonly addresses: readonly string[];
}

/** The part of a machine's network that decides the address of its node. */
export interface HostNetwork {
  readonly interfaces: readonly HostInterface[];
  /** Interfaces of default routes, IPv4 first. Undefined if the machine does not report its routes. */
  readonly defaultRoutes: readonly { readonly interface: string; readonly family: 4 | 6 }[] | undefined;
}

/** Size of a file system in bytes and inodes. */
export interface FsInfo {
  readonly capacity: number;
  readonly available: number;
  /** Used bytes. Some of the free bytes may be reserved for root. If absent, every byte that is not available counts as used. */
  readonly used?: number;
  /** Number of inodes, 0 if the file system does not count them. */
  readonly inodes: number;
  readonly inodesFree: number;
}

/** The machine under a node. Every method rejects if the machine does not provide the fact. */
export interface Host {
  machineInfo(): Promise<MachineInfo>;
  versionInfo(): Promise<VersionInfo>;
  network(): Promise<HostNetwork>;
  /** The addresses of a name from DNS and /etc/hosts. Empty if there are none. */
  lookup(name: string): Promise<readonly string[]>;
  /** The file system of the agent's directory. */
  rootFs(): Promise<FsInfo>;
  /** Memory in bytes that programs can still allocate without swapping. */
  memoryAvailable(): Promise<number>;
}
