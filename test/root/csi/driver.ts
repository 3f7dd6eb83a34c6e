import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SocketServer, serveSocket, service } from '#adapters/node/grpc/server.ts';
import { RpcError, type ServiceHandlers } from '#lib/machinery/rpc.ts';
import { aborted } from '#lib/machinery/wait/on-abort.ts';
import {
  NodeServiceCapability_RPC_Type as Ability,
  ControllerDefinition,
  type DeepPartial,
  IdentityDefinition,
  VolumeCapability_AccessMode_Mode as Mode,
  NodeDefinition,
  type VolumeCapability,
  type VolumeUsage,
} from '#lib/node/csi/generated/csi-v1.ts';
import { RegistrationDefinition } from '#lib/node/kubelet-api/generated/pluginregistration-v1.ts';
import { eventually } from '#test/support/eventually.ts';
import { required, Volumes } from './controller.ts';

/** The driver's name. */
export const DRIVER = 'folders.csi.example.com';
const VOLUMES = '/run/csi-volumes';
const STAGE = ['volumeId', 'stagingTargetPath'];
const PUBLISH = ['volumeId', 'targetPath'];
/** The fields that the specification requires. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  nodeStageVolume: [...STAGE, 'volumeCapability'],
  nodeUnstageVolume: STAGE,
  nodePublishVolume: [...PUBLISH, 'volumeCapability'],
  nodeUnpublishVolume: PUBLISH,
  nodeGetVolumeStats: ['volumeId', 'volumePath'],
  nodeExpandVolume: ['volumeId', 'volumePath'],
};

/** A call from the kubelet: the method and its message. */
export interface DriverCall {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/**
 * A CSI driver whose volumes are folders on this machine, or loop devices. It stages and publishes by bind mounts, and every call may be
 * repeated.
 */
export class FolderDriver implements AsyncDisposable {
  readonly calls: DriverCall[] = [];
  /** Methods that do their work and then hang until the caller or the driver ends. Tests kill the agent meanwhile. */
  readonly hanging = new Set<string>();
  /** Calls that do not start until they are removed from this set, by method and volume: `nodePublishVolume of v`. */
  readonly held = new Set<string>();
  /** The volume usage that the driver reports. */
  usage: DeepPartial<VolumeUsage>[] = [{ available: 3, total: 10, used: 7, unit: 1 }];
  /** The driver's name. */
  readonly name: string;
  /** The volumes that the driver creates itself. If undefined, any requested volume exists. */
  readonly #volumes: Volumes | undefined;
  /** The errors of calls that fail, by method. */
  readonly failing = new Map<string, RpcError>();
  /** The errors of calls that fail after they have done their work, by method. */
  readonly lying = new Map<string, RpcError>();
  readonly #servers: SocketServer[] = [];
  readonly #loops = new Map<string, string>();
  /** Volumes by the target paths where they are published. */
  readonly #published = new Map<string, string>();

  private constructor(name: string, volumes: Volumes | undefined) {
    this.name = name;
    this.#volumes = volumes;
  }

  /** Starts to serve and waits for its registration. */
  static async start(name = DRIVER): Promise<FolderDriver> {
    const driver = new FolderDriver(name, undefined);
    await driver.serve();
    return driver;
  }

  /** Serves all services of a driver that creates its volumes itself, on one socket. */
  static async startAlone(socket: string): Promise<FolderDriver> {
    const volumes = new Volumes(DRIVER);
    const driver = new FolderDriver(DRIVER, volumes);
    mkdirSync(VOLUMES, { recursive: true });
    const services = [
      service(IdentityDefinition, volumes.identity()),
      service(ControllerDefinition, volumes.controller()),
      service(NodeDefinition, driver.#node()),
    ];
    driver.#servers.push(await serveSocket(socket, services));
    return driver;
  }

  /** Serves both sockets: the driver's own and that of its registrar. */
  async serve(): Promise<void> {
    mkdirSync(VOLUMES, { recursive: true });
    const endpoint = `/var/lib/kubelet/plugins/${this.name}/csi.sock`;
    this.#servers.push(await serveSocket(endpoint, [service(NodeDefinition, this.#node())]));
    const info = { type: 'CSIPlugin', name: this.name, endpoint, supportedVersions: ['1.0.0'] };
    const registration = { getInfo: async () => info, notifyRegistrationStatus: async () => ({}) };
    this.#servers.push(await serveSocket(this.#registration, [service(RegistrationDefinition, registration)]));
  }

  /** Closes both sockets, which makes the kubelet drop the driver. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.close()));
    rmSync(this.#registration, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    for (const loop of this.#loops.values()) execFileSync('losetup', ['-d', loop]);
  }

  get #registration(): string {
    return `/var/lib/kubelet/plugins_registry/${this.name}-reg.sock`;
  }

  /** The names of the calls so far that change state. */
  get changes(): readonly string[] {
    return this.calls
      .map(({ method }) => method)
      .filter((method) => !/Get(?:Capabilities|Info|VolumeStats)/.test(method));
  }

  /** The last request of a method. */
  last(method: string): DriverCall['request'] | undefined {
    return this.calls.findLast((call) => call.method === method)?.request;
  }

  #node(): ServiceHandlers<NodeDefinition> {
    const handlers = this.#handlers();
    const told = <K extends keyof typeof handlers>(method: K): (typeof handlers)[K] => {
      const run = handlers[method] as (request: unknown, signal: AbortSignal) => Promise<unknown>;
      const answer = async (request: Record<string, unknown>, signal: AbortSignal): Promise<unknown> => {
        this.calls.push({ method, request });
        this.#check(method, request);
        const hold = `${method} of ${String(request['volumeId'])}`;
        await eventually(() => !this.held.has(hold) || signal.aborted);
        const failure = this.failing.get(method);
        if (failure !== undefined) throw failure;
        const done = await run(request, signal);
        const lie = this.lying.get(method);
        if (lie !== undefined) throw lie;
        if (this.hanging.has(method)) await aborted(signal);
        return done;
      };
      return answer as (typeof handlers)[K];
    };
    return {
      nodeStageVolume: told('nodeStageVolume'),
      nodeUnstageVolume: told('nodeUnstageVolume'),
      nodePublishVolume: told('nodePublishVolume'),
      nodeUnpublishVolume: told('nodeUnpublishVolume'),
      nodeGetVolumeStats: told('nodeGetVolumeStats'),
      nodeExpandVolume: told('nodeExpandVolume'),
      nodeGetCapabilities: told('nodeGetCapabilities'),
      nodeGetInfo: told('nodeGetInfo'),
    };
  }

  /** Throws, as the specification requires, if a field is missing or if the volume was not created. */
  #check(method: string, request: Readonly<Record<string, unknown>>): void {
    for (const field of REQUIRED[method] ?? []) required(request[field], field);
    if (method !== 'nodeUnpublishVolume' && request['volumeId'] !== undefined)
      this.#volumes?.check(String(request['volumeId']));
  }

  #handlers(): ServiceHandlers<NodeDefinition> {
    const { STAGE_UNSTAGE_VOLUME, GET_VOLUME_STATS, EXPAND_VOLUME, SINGLE_NODE_MULTI_WRITER } = Ability;
    const abilities = [STAGE_UNSTAGE_VOLUME, GET_VOLUME_STATS, EXPAND_VOLUME, SINGLE_NODE_MULTI_WRITER];
    return {
      nodeGetInfo: async () => ({
        nodeId: 'here',
        accessibleTopology: { segments: { 'folders.example.com/host': 'here' } },
      }),
      nodeGetCapabilities: async () => ({ capabilities: abilities.map((type) => ({ rpc: { type } })) }),
      nodeGetVolumeStats: async ({ volumePath }) => {
        if (!existsSync(volumePath)) throw new RpcError('NotFound', `no volume at ${volumePath}`);
        return { usage: this.usage };
      },
      nodeExpandVolume: async ({ capacityRange }) => ({ capacityBytes: capacityRange?.requiredBytes ?? 0 }),
      nodeStageVolume: async ({ volumeId, stagingTargetPath, volumeCapability }) => {
        if (isBlock(volumeCapability)) this.#loop(volumeId);
        else bind(folderOf(volumeId), stagingTargetPath);
        return {};
      },
      nodeUnstageVolume: async ({ volumeId, stagingTargetPath }) => {
        unmount(stagingTargetPath);
        const loop = this.#loops.get(volumeId);
        if (loop !== undefined) execFileSync('losetup', ['-d', loop]);
        this.#loops.delete(volumeId);
        return {};
      },
      nodePublishVolume: async ({ volumeId, stagingTargetPath, targetPath, volumeCapability }) => {
        const isAlone = volumeCapability?.accessMode?.mode === Mode.SINGLE_NODE_SINGLE_WRITER;
        if (isAlone && [...this.#published].some(([target, volume]) => volume === volumeId && target !== targetPath))
          throw new RpcError('FailedPrecondition', `${volumeId} is published elsewhere`);
        this.#published.set(targetPath, volumeId);
        if (isBlock(volumeCapability)) {
          writeFileSync(targetPath, '', { flag: 'a' });
          if (!isMounted(targetPath)) execFileSync('mount', ['--bind', this.#loop(volumeId), targetPath]);
          return {};
        }
        mkdirSync(targetPath, { recursive: true });
        bind(stagingTargetPath === '' ? folderOf(volumeId) : stagingTargetPath, targetPath);
        return {};
      },
      nodeUnpublishVolume: async ({ targetPath }) => {
        this.#published.delete(targetPath);
        unmount(targetPath);
        if (existsSync(targetPath)) (statSync(targetPath).isDirectory() ? rmdirSync : rmSync)(targetPath);
        return {};
      },
    };
  }

  #loop(volumeId: string): string {
    const known = this.#loops.get(volumeId);
    if (known !== undefined) return known;
    const file = join(folderOf(volumeId), 'disk');
    writeFileSync(file, new Uint8Array(1024 * 1024));
    const loop = execFileSync('losetup', ['-f', '--show', file], { encoding: 'utf8' }).trim();
    this.#loops.set(volumeId, loop);
    return loop;
  }
}

/** The folder of a volume. */
export function folderOf(volumeId: string): string {
  const folder = join(VOLUMES, volumeId);
  mkdirSync(folder, { recursive: true });
  return folder;
}

const isBlock = (capability: VolumeCapability | undefined): boolean => capability?.block !== undefined;

const isMounted = (path: string): boolean =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[4] === path);

function bind(from: string, to: string): void {
  if (!existsSync(dirname(to))) throw new RpcError('InvalidArgument', `${dirname(to)} is missing`);
  if (!isMounted(to)) execFileSync('mount', ['--bind', from, to]);
}

function unmount(path: string): void {
  if (!existsSync(path)) return;
  if (isMounted(path)) execFileSync('umount', [path]);
}
