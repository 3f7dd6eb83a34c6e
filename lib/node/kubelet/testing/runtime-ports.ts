import type { Clock } from '#lib/machinery/clock.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { ACTUATED_PODS_STATE, PodResourceState } from '../allocation/pod-resource-state.ts';
import { MemoryCheckpoints } from '../checkpointmanager/testing.ts';
import type { ContainerFiles } from '../kuberuntime/container-files.ts';
import { crashLoopBackoff } from '../kuberuntime/do-backoff.ts';
import type { LogFiles } from '../kuberuntime/logs/log-files.ts';
import type { RuntimePorts } from '../kuberuntime/runtime-ports.ts';
import { type CallStep, type FakeConnection, FakeRuntimeService } from './fake-runtime-service.ts';
import { someHelper, someSettings } from './runtime-config.ts';

/** In-memory files by path. A link is stored as `-> TARGET`. */
export class FakeContainerFiles implements ContainerFiles {
  readonly files = new Map<string, string>();
  readonly folders = new Set<string>();

  async makeFolder(path: string): Promise<void> {
    this.folders.add(path);
  }

  async list(folder: string): Promise<string[]> {
    const below = [...this.files.keys(), ...this.folders].filter((path) => path.startsWith(`${folder}/`));
    return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/', 1)[0] ?? ''))];
  }

  async exists(path: string): Promise<boolean> {
    const content = this.files.get(path);
    return content?.startsWith('-> ') === true ? this.exists(content.slice(3)) : content !== undefined;
  }

  async symlink(target: string, link: string): Promise<void> {
    this.files.set(link, `-> ${target}`);
  }

  async remove(path: string): Promise<void> {
    this.files.delete(path);
  }

  async removeAll(folder: string): Promise<void> {
    for (const path of [...this.files.keys(), ...this.folders])
      if (path === folder || path.startsWith(`${folder}/`)) {
        this.files.delete(path);
        this.folders.delete(path);
      }
  }

  async createWritable(path: string): Promise<void> {
    this.files.set(path, '');
  }

  async readTail(path: string, bytes: number): Promise<string | undefined> {
    return this.files.get(path)?.slice(-bytes);
  }

  /** The files as logs, without watches. */
  get logs(): LogFiles {
    return {
      open: async (path) => {
        const content = Buffer.from(this.#existing(path));
        return {
          identity: path,
          size: async () => content.length,
          read: async (at, length) => content.subarray(at, at + length),
          [Symbol.asyncDispose]: async () => undefined,
        };
      },
      identity: async (path) => (this.files.has(path) ? path : undefined),
      watch: () => ({ next: async () => undefined, [Symbol.dispose]: () => undefined }),
    };
  }

  #existing(path: string): string {
    const content = this.files.get(path);
    if (content === undefined) throw new Error(`failed to open log file "${path}"`);
    return content;
  }
}

/** A node with a runtime, for tests. It outlives the processes that use it. */
export interface FakeNodeRuntime {
  readonly fake: FakeRuntimeService;
  readonly files: FakeContainerFiles;
  /** Events such as `Warning BackOff spec.containers{app}: text`. */
  readonly events: string[];
  /** Reported failures that did not stop the process. */
  readonly reports: string[];
  /** Uids of pods that no source has any more. */
  readonly gone: Set<string>;
  /** The ports of a new process. `dies` is called at each step of each call to the runtime and returns true to kill the process there. */
  process(dies?: (step: CallStep) => boolean): { readonly ports: RuntimePorts; readonly connection: FakeConnection };
}

/** In-memory pod resources. */
export const memoryResources = (): PodResourceState =>
  PodResourceState.empty(new MemoryCheckpoints(), ACTUATED_PODS_STATE);

/** A node with an empty runtime. `overrides` replace the ports of every process. */
export function aNodeRuntime(clock: Clock, overrides: Partial<RuntimePorts> = {}): FakeNodeRuntime {
  const fake = new FakeRuntimeService(clock);
  const files = new FakeContainerFiles();
  const events: string[] = [];
  const reports: string[] = [];
  const gone = new Set<string>();
  const actuated = memoryResources();
  const process = (dies?: (step: CallStep) => boolean) => {
    const connection = fake.connect(dies);
    let random = 0;
    const ports: RuntimePorts = {
      clock,
      runtime: connection.runtime,
      imageService: connection.images,
      images: { ensureImageExists: async ({ image }) => image },
      helper: someHelper(),
      settings: someSettings(),
      files,
      logs: files.logs,
      logRotation: {
        clean: async (id) => {
          const { status } = await connection.runtime.containerStatus({ containerId: id });
          for (const path of files.files.keys()) if (path.startsWith(status?.logPath ?? path)) files.files.delete(path);
        },
      },
      recorder: {
        event: (_, ...[type, reason, message, fieldPath = '']) =>
          events.push(`${type} ${reason} ${fieldPath}: ${message}`.replace(' : ', ': ')),
      },
      hooks: { run: async () => undefined },
      probes: { result: () => undefined },
      containerManager: {
        preCreateContainer: async () => undefined,
        preStartContainer: () => undefined,
        postStopContainer: () => undefined,
      },
      actuated,
      podCgroups: { config: async () => ({}), setConfig: async () => undefined },
      podState: {
        isPodTerminationRequested: (uid) => gone.has(uid),
        shouldPodContentBeRemoved: (uid) => gone.has(uid),
        shouldPodRuntimeBeRemoved: (uid) => gone.has(uid),
      },
      lookupRuntimeHandler: (name = '') => name,
      randomUint32: () => random++,
      report: (message, error) =>
        reports.push(`${message}: ${error instanceof RpcError ? error.details : String(error)}`),
      backoff: crashLoopBackoff(clock),
      ...overrides,
    };
    return { ports, connection };
  };
  return { fake, files, events, reports, gone, process };
}
