import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { ContainerState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import { pathWithinBase } from '#lib/node/volume/mount/path.ts';

/** The file operations for rotation. Methods throw the system's error. */
export interface RotatedLogs {
  /** The size of a file in bytes, or undefined if it does not exist. */
  size(path: string): Promise<number | undefined>;
  /** The paths with this prefix, in any order. */
  beginningWith(prefix: string): Promise<readonly string[]>;
  /** Does nothing if the file does not exist. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Compresses a file with gzip to another file with the same mode. */
  compress(from: string, to: string): Promise<void>;
}

/** The rules for log rotation. */
export interface LogRotatePolicy {
  /** Size in bytes from which a log is rotated, negative for never. */
  readonly maxSize: number;
  /** Maximum number of files per container, including the current one. At least 2. */
  readonly maxFiles: number;
  /** Interval in ms between checks of all logs. */
  readonly interval: number;
}

/** The kubelet's defaults: 10 MiB, five files, every ten seconds. */
export const LOG_ROTATE_POLICY: LogRotatePolicy = { maxSize: 10 * 1024 * 1024, maxFiles: 5, interval: 10_000 };

/** The ports of log rotation. */
export interface LogRotationPorts {
  /** The log directory of all pods. Files outside of it are never touched, even if the runtime reports them. */
  readonly root: string;
  readonly clock: Clock;
  readonly files: RotatedLogs;
  readonly runtime: Pick<RuntimeService, 'listContainers' | 'containerStatus' | 'reopenContainerLog'>;
  /** Called for a log that cannot be rotated. The next check retries. */
  onFault(error: unknown): void;
}

const COMPRESSED = '.gz';
const TEMPORARY = '.tmp';

/** Limits the size of a node's container logs (upstream: logs.containerLogManager). */
export class ContainerLogRotation {
  readonly #policy: LogRotatePolicy;
  readonly #ports: LogRotationPorts;

  /** Throws Error if `maxFiles` is below 2. */
  constructor(policy: LogRotatePolicy, ports: LogRotationPorts) {
    if (policy.maxFiles <= 1) throw new Error(`invalid MaxFiles ${policy.maxFiles}, must be > 1`);
    this.#policy = policy;
    this.#ports = ports;
  }

  /** Rotates logs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#policy.maxSize < 0) return;
    while (!signal.aborted) {
      await this.#rotateAll().catch((error: unknown) => this.#ports.onFault(error));
      await this.#ports.clock.sleep(this.#policy.interval, signal);
    }
  }

  /** Removes all logs of a container, including rotated ones. Logs outside the directory stay. Throws Error. */
  async clean(containerID: string): Promise<void> {
    const path = await this.#pathOf(containerID);
    if (!this.#isOwn(path)) return;
    for (const log of await this.#ports.files.beginningWith(path)) await this.#ports.files.remove(log);
  }

  /** Containers that are not running write no logs, and an empty log must not replace their last one. */
  async #rotateAll(): Promise<void> {
    const { containers } = await this.#ports.runtime.listContainers({});
    for (const { id, state } of containers)
      if (state === ContainerState.CONTAINER_RUNNING)
        await this.#rotate(id).catch((error: unknown) => this.#ports.onFault(error));
  }

  async #rotate(id: string): Promise<void> {
    const { files, runtime } = this.#ports;
    const path = await this.#pathOf(id);
    if (!this.#isOwn(path)) throw new Error(`log file ${quote(path)} is outside of ${this.#ports.root}`);
    const size = await files.size(path);
    if (size === undefined) await runtime.reopenContainerLog({ containerId: id });
    else if (size >= this.#policy.maxSize) await this.#rotateLog(id, path);
  }

  async #pathOf(id: string): Promise<string> {
    const { status } = await this.#ports.runtime.containerStatus({ containerId: id }).catch((error: unknown) => {
      throw new Error(`failed to get container status ${quote(id)}: ${messageOfError(error)}`, { cause: error });
    });
    if (status === undefined || status.logPath === '') throw new Error(`container status is nil for ${quote(id)}`);
    return status.logPath;
  }

  #isOwn(path: string): boolean {
    return path !== this.#ports.root && pathWithinBase(path, this.#ports.root);
  }

  async #rotateLog(id: string, path: string): Promise<void> {
    const { files } = this.#ports;
    const all = await files.beginningWith(`${path}.`);
    const kept = all.filter((log) => isInUse(log, all)).sort();
    for (const log of all.filter((one) => !kept.includes(one))) await files.remove(log);
    // The current log and its replacement also count as files.
    const excess = kept.splice(0, Math.max(0, kept.length - Math.max(0, this.#policy.maxFiles - 2)));
    for (const log of excess) await files.remove(log);
    for (const log of kept) if (!log.endsWith(COMPRESSED)) await this.#compress(log);
    await this.#rotateLatest(id, path);
  }

  async #compress(log: string): Promise<void> {
    const { files } = this.#ports;
    const temporary = `${log}${TEMPORARY}`;
    try {
      await files.compress(log, temporary);
      await files.rename(temporary, `${log}${COMPRESSED}`);
    } finally {
      await files.remove(temporary);
    }
    await files.remove(log);
  }

  /** The latest rotated log stays uncompressed, because the container may still write to it and clients may still read it. */
  async #rotateLatest(id: string, path: string): Promise<void> {
    const { files, runtime, clock } = this.#ports;
    const rotated = `${path}.${stamp(clock.now())}`;
    await files.rename(path, rotated);
    try {
      await runtime.reopenContainerLog({ containerId: id });
    } catch (error) {
      await files.rename(rotated, path); // the next check retries
      throw new Error(`failed to reopen container log ${quote(id)}: ${messageOfError(error)}`, { cause: error });
    }
  }
}

/** A temporary file, or a log that was also compressed, is left from a failed rotation. */
const isInUse = (log: string, all: readonly string[]): boolean =>
  !log.endsWith(TEMPORARY) && (log.endsWith(COMPRESSED) || !all.includes(`${log}${COMPRESSED}`));

/** Go's `20060102-150405` in UTC. */
const stamp = (now: number): string => new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
