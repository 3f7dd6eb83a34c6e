/** The counters of one network interface. */
export interface NetworkCounters {
  readonly name: string;
  readonly receive: InterfaceCounters;
  readonly transmit: InterfaceCounters;
}

/** The counters of one direction of an interface. */
export interface InterfaceCounters {
  readonly bytes: number;
  readonly packets: number;
  readonly errors: number;
  readonly dropped: number;
}

/**
 * The cgroup files of a machine. Paths are relative to a mount, and `/` is the machine. Methods do not reject for a cgroup that was removed
 * meanwhile.
 */
export interface CgroupReader {
  readonly version: 1 | 2;
  /** The names of the direct children of a cgroup. */
  children(path: string): Promise<readonly string[]>;
  /** The content of a file, or undefined if the machine has no such controller, cgroup or file. */
  read(controller: string, path: string, file: string): Promise<string | undefined>;
  /** Creation time of a cgroup in milliseconds since 1970, or undefined if it was removed. */
  createdAt(path: string): Promise<number | undefined>;
  /**
   * The interfaces, without loopback, in the network of a cgroup's first process. Empty without a process. `/` returns those of the
   * machine.
   */
  network(path: string): Promise<readonly NetworkCounters[]>;
  /** The path of a device with this `major:minor`, or '' if unknown. */
  device(id: string): Promise<string>;
}
