import type { Clock } from '#lib/machinery/clock.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import {
  type ContainerConfig,
  ContainerState,
  type LinuxContainerResources,
  type PodSandboxConfig,
  PodSandboxState,
} from '#lib/node/cri-api/generated/runtime-v1.ts';

/** The behavior of one container attempt. Durations are in milliseconds. */
export interface ContainerScript {
  /** Time until it exits by itself. If absent, it runs until it is stopped. */
  readonly runsFor?: number;
  /** The exit code when it exits by itself, 0 by default. */
  readonly exitCode?: number;
  /** Replaces `Completed` and `Error`, for example with `OOMKilled`. */
  readonly reason?: string;
  readonly message?: string;
  /** Time from SIGTERM until it exits. Infinity waits for SIGKILL. */
  readonly stopsIn?: number;
  /** The exit code after SIGTERM, 143 by default. */
  readonly stopExitCode?: number;
  /** The error with which the start fails. */
  readonly startError?: string;
  /** The result of a command. If absent, every command exits with 0 and no output. */
  exec?(command: readonly string[]): { exitCode?: number; stdout?: string; stderr?: string };
}

/** A sandbox of the fake runtime. */
export interface FakeSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  readonly runtimeHandler: string;
  /** Creation time in nanoseconds since 1970. */
  readonly createdAt: bigint;
  state: PodSandboxState;
  ip: string;
}

/** A container of the fake runtime. Times are in nanoseconds since 1970, 0 if they have not occurred. */
export interface FakeContainer {
  readonly id: string;
  readonly sandbox: FakeSandbox;
  readonly config: ContainerConfig;
  readonly script: ContainerScript;
  readonly createdAt: bigint;
  state: ContainerState;
  startedAt: bigint;
  finishedAt: bigint;
  exitCode: number;
  reason: string;
  message: string;
  resources: LinuxContainerResources | undefined;
}

/** Sandboxes and containers that follow the clock. */
export class FakeContainers {
  readonly sandboxes = new Map<string, FakeSandbox>();
  readonly containers = new Map<string, FakeContainer>();
  /** Violated invariants: two attempts of a container that ran at the same time. */
  readonly violations: string[] = [];
  /** The names of started containers, with one entry per attempt. */
  readonly starts: string[] = [];
  readonly #clock: Clock;
  readonly #scripts = new Map<string, readonly ContainerScript[]>();
  #made = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets the behavior of a container's attempts by name, in order. The last script applies to all later attempts. */
  script(container: string, ...lives: ContainerScript[]): void {
    this.#scripts.set(container, lives);
  }

  /** Ends containers that are due. */
  settle(): void {
    const now = this.#nanos();
    for (const container of this.containers.values()) {
      const { runsFor, exitCode = 0, reason, message = '' } = container.script;
      if (runsFor === undefined || container.state !== ContainerState.CONTAINER_RUNNING) continue;
      const at = container.startedAt + BigInt(runsFor) * 1_000_000n;
      if (at <= now) this.exit(container, { at, exitCode, message, reason });
    }
  }

  addSandbox(config: PodSandboxConfig, runtimeHandler: string): FakeSandbox {
    const name = JSON.stringify(config.metadata);
    const holder = [...this.sandboxes.values()].find((one) => JSON.stringify(one.config.metadata) === name);
    if (holder !== undefined) throw reserved('sandbox', name, holder.id);
    const id = this.#id();
    const state = PodSandboxState.SANDBOX_READY;
    const ip = onHostNetwork(config) ? '' : `10.88.0.${this.#made + 1}`;
    const sandbox: FakeSandbox = { id, config, runtimeHandler, createdAt: this.#nanos(), state, ip };
    this.sandboxes.set(id, sandbox);
    return sandbox;
  }

  addContainer(sandbox: FakeSandbox, config: ContainerConfig): FakeContainer {
    if (sandbox.state !== PodSandboxState.SANDBOX_READY)
      throw new RpcError(
        'Unknown',
        `failed to get sandbox container task: no running task found: task ${sandbox.id} not found: not found`,
      );
    const name = nameOf(sandbox, config);
    const holder = [...this.containers.values()].find((one) => nameOf(one.sandbox, one.config) === name);
    if (holder !== undefined) throw reserved('container', name, holder.id);
    const container: FakeContainer = {
      id: this.#id(),
      sandbox,
      config,
      script: this.#scriptOf(config),
      createdAt: this.#nanos(),
      state: ContainerState.CONTAINER_CREATED,
      startedAt: 0n,
      finishedAt: 0n,
      exitCode: 0,
      reason: '',
      message: '',
      resources: config.linux?.resources,
    };
    this.containers.set(container.id, container);
    return container;
  }

  start(container: FakeContainer): void {
    if (container.state !== ContainerState.CONTAINER_CREATED)
      throw new RpcError('Unknown', `container "${container.id}" is not in created state`);
    const { startError } = container.script;
    if (startError !== undefined) {
      this.exit(container, { exitCode: 128, reason: 'StartError', message: startError });
      throw new RpcError('Unknown', startError);
    }
    const other = [...this.containers.values()].find((one) => this.#isTwin(one, container));
    if (other !== undefined)
      this.violations.push(`${nameOf(container.sandbox, container.config)} runs beside ${other.id}`);
    container.state = ContainerState.CONTAINER_RUNNING;
    this.starts.push(container.config.metadata?.name ?? '');
    container.startedAt = this.#nanos();
  }

  /** Sends SIGTERM, and SIGKILL after `timeout` seconds. */
  async stop(container: FakeContainer, timeout: number): Promise<void> {
    if (container.state !== ContainerState.CONTAINER_RUNNING) return;
    const { stopsIn = 0, stopExitCode = 143 } = container.script;
    const ends = Math.min(stopsIn, timeout * 1000);
    if (ends > 0) await this.#clock.sleep(ends);
    this.settle();
    if (container.state !== ContainerState.CONTAINER_RUNNING) return;
    this.exit(container, { exitCode: stopsIn > timeout * 1000 ? 137 : stopExitCode });
  }

  /** Ends a container now, like a crash. */
  exit(
    container: FakeContainer,
    end: { exitCode: number; reason?: string | undefined; message?: string; at?: bigint },
  ): void {
    container.state = ContainerState.CONTAINER_EXITED;
    container.finishedAt = end.at ?? this.#nanos();
    container.exitCode = end.exitCode;
    container.reason = end.reason ?? (end.exitCode === 0 ? 'Completed' : 'Error');
    container.message = end.message ?? '';
  }

  /** Ends a sandbox and its containers at once. */
  stopSandbox(sandbox: FakeSandbox): void {
    for (const container of this.in(sandbox))
      if (container.state === ContainerState.CONTAINER_RUNNING) this.exit(container, { exitCode: 137 });
    sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
  }

  /** Removes a sandbox and its containers. */
  removeSandbox(sandbox: FakeSandbox): void {
    this.stopSandbox(sandbox);
    for (const container of this.in(sandbox)) this.containers.delete(container.id);
    this.sandboxes.delete(sandbox.id);
  }

  /** The containers of a sandbox. */
  in(sandbox: FakeSandbox): FakeContainer[] {
    return [...this.containers.values()].filter((one) => one.sandbox === sandbox);
  }

  /** Simulates a restart of the machine: all containers stop. */
  reboot(): void {
    for (const container of this.containers.values())
      if (container.state === ContainerState.CONTAINER_RUNNING)
        this.exit(container, { exitCode: 255, reason: 'Unknown' });
    for (const sandbox of this.sandboxes.values()) sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
  }

  /** Running containers as `namespace/pod/container`. */
  running(): string[] {
    this.settle();
    return [...this.containers.values()]
      .filter(({ state }) => state === ContainerState.CONTAINER_RUNNING)
      .map(
        ({ sandbox, config }) =>
          `${sandbox.config.metadata?.namespace}/${sandbox.config.metadata?.name}/${config.metadata?.name}`,
      )
      .sort();
  }

  #isTwin(one: FakeContainer, other: FakeContainer): boolean {
    return (
      one.state === ContainerState.CONTAINER_RUNNING &&
      one.config.metadata?.name === other.config.metadata?.name &&
      one.sandbox.config.metadata?.uid === other.sandbox.config.metadata?.uid
    );
  }

  #scriptOf({ metadata }: ContainerConfig): ContainerScript {
    const lives = this.#scripts.get(metadata?.name ?? '') ?? [];
    return lives[Math.min(metadata?.attempt ?? 0, lives.length - 1)] ?? {};
  }

  /** Advances by a microsecond for each created object, so that later objects are newer even if the clock stands still. */
  #nanos(): bigint {
    return BigInt(Math.floor(this.#clock.now())) * 1_000_000n + BigInt(this.#made % 1000) * 1000n;
  }

  #id(): string {
    this.#made += 1;
    return this.#made.toString(16).padStart(64, '0');
  }
}

const onHostNetwork = ({ linux }: PodSandboxConfig): boolean => linux?.securityContext?.namespaceOptions?.network === 2;

const nameOf = ({ config: { metadata } }: FakeSandbox, config: ContainerConfig): string =>
  [config.metadata?.name, metadata?.name, metadata?.namespace, metadata?.uid, config.metadata?.attempt].join('_');

const reserved = (kind: string, name: string, id: string): RpcError =>
  new RpcError('Unknown', `failed to reserve ${kind} name "${name}": name "${name}" is reserved for "${id}"`);
