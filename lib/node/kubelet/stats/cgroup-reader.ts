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

/** The cgroups of a machine as files. Paths are those below a mount; `/` is the machine. Nothing rejects for what is gone meanwhile. */
export interface CgroupReader {
  readonly version: 1 | 2;
  /** The names of the cgroups below one. */
  children(path: string): Promise<readonly string[]>;
  /** A file; undefined where the machine has no such controller, cgroup or file. */
  read(controller: string, path: string, file: string): Promise<string | undefined>;
  /** When a cgroup was made, milliseconds since 1970; undefined of one that is gone. */
  createdAt(path: string): Promise<number | undefined>;
  /** The interfaces, but loopback, that the first process of a cgroup sees; none without a process. `/` has the machine's. */
  network(path: string): Promise<readonly NetworkCounters[]>;
  /** The path of a device by its `major:minor`; '' of one that is not known. */
  device(id: string): Promise<string>;
}
