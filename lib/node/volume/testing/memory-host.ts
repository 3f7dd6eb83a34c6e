import type { ConfigMap, Pod, Secret } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Projection, WritePlan } from '../atomic-writer.ts';
import type { FileType, VolumeFiles } from '../files.ts';
import type { VolumeHost, VolumeObjects } from '../host.ts';
import type { MountInfo } from '../mount/mount-info.ts';
import type { Mounter, MountRequest } from '../mount/mounter.ts';
import type { OwnershipChange } from '../ownership.ts';

/** A clock that stands still. */
export const STANDING_CLOCK: Clock = {
  now: () => Date.parse('2026-01-02T03:04:05Z'),
  monotonic: () => 0,
  sleep: async () => undefined,
};

/** In-memory mounts in their order. */
export class MemoryMounter implements Mounter {
  readonly mounts: MountRequest[] = [];
  /** Failed requests. */
  readonly failed: MountRequest[] = [];
  /** The error of further mounts. */
  failure: string | undefined;
  readonly resized: string[] = [];
  /** File systems that the kernel supports. */
  known: readonly string[] = ['ext4', 'nfs', 'nfs4'];

  async mount(request: MountRequest): Promise<void> {
    if (this.failure !== undefined) {
      this.failed.push(request);
      throw new Error(this.failure);
    }
    this.mounts.push(request);
  }

  async unmount(target: string): Promise<void> {
    const index = this.mounts.findLastIndex((mount) => mount.target === target);
    if (index >= 0) this.mounts.splice(index, 1);
  }

  async list(): Promise<readonly MountInfo[]> {
    return this.mounts.map(({ source, target, fsType, options }, id) => {
      const place = { root: '/', mountPoint: target, device: `0:${id}` };
      return { id, parentId: 0, ...place, options, superOptions: options, fsType, source };
    });
  }

  async isMountPoint(path: string): Promise<boolean> {
    return this.mounts.some(({ target }) => target === path);
  }

  async mountRefs(path: string): Promise<readonly string[]> {
    return this.mounts.flatMap(({ source, target }) => (source === path ? [target] : []));
  }

  formatAndMount(request: MountRequest): Promise<void> {
    return this.mount(request);
  }

  async resizeFs(device: string, mountPath: string): Promise<void> {
    this.resized.push(`${device} at ${mountPath}`);
  }

  async fileSystems(): Promise<readonly string[]> {
    return this.known;
  }
}

/** In-memory files: types by path, and the projections of directories. */
export class MemoryFiles implements VolumeFiles {
  readonly types = new Map<string, FileType>();
  readonly projections = new Map<string, Projection>();
  /** Modes of projected files by path. */
  readonly modes = new Map<string, number>();
  readonly owned: (OwnershipChange & { readonly path: string })[] = [];
  readonly links = new Map<string, string>();
  group = 0;
  /** The error of writing projections. */
  writeFailure: string | undefined;
  readonly #mounter: Mounter;

  constructor(mounter: Mounter) {
    this.#mounter = mounter;
  }

  async fileType(path: string): Promise<FileType | undefined> {
    return this.types.get(path);
  }
  async makeFolder(path: string): Promise<void> {
    this.types.set(path, 'Directory');
  }
  async makeFile(path: string): Promise<void> {
    this.types.set(path, 'File');
  }
  async removeTree(path: string): Promise<void> {
    for (const at of this.types.keys()) if (at === path || at.startsWith(`${path}/`)) this.types.delete(at);
    this.projections.delete(path);
    this.links.delete(path);
  }
  async cleanUpMountPoint(path: string): Promise<void> {
    await this.#mounter.unmount(path);
    await this.removeTree(path);
  }
  async groupOf(): Promise<number> {
    return this.group;
  }
  async changeOwnership(path: string, change: OwnershipChange): Promise<void> {
    this.owned.push({ path, ...change });
  }
  async projection(path: string): Promise<Projection | undefined> {
    return this.projections.get(path);
  }
  async writeProjection(path: string, plan: WritePlan, beforePublish: () => Promise<void>): Promise<void> {
    if (this.writeFailure !== undefined) throw new Error(this.writeFailure);
    if (plan.folderPrefix === undefined) return;
    await beforePublish();
    const files = new Map([...plan.payload].map(([name, { data }]) => [name, data]));
    for (const [name, { mode }] of plan.payload) this.modes.set(`${path}/${name}`, mode);
    this.projections.set(path, { folder: plan.folderPrefix, files, paths: [...files.keys()] });
  }
  async linkDevice(device: string, path: string): Promise<void> {
    this.links.set(path, device);
  }

  /** The texts that a directory projects. */
  texts(path: string): Record<string, string> {
    const { files } = this.projections.get(path) ?? { files: new Map<string, Uint8Array>() };
    return Object.fromEntries([...files].map(([name, data]) => [name, new TextDecoder().decode(data)]));
  }
}

/** An in-memory node. Tests add API objects to its maps by `namespace/name`. */
export class MemoryHost implements VolumeHost {
  readonly rootDirectory = '/var/lib/kubelet';
  readonly clock: Clock = STANDING_CLOCK;
  readonly mounter = new MemoryMounter();
  readonly files = new MemoryFiles(this.mounter);
  readonly tmpfsNoSwap = false;
  readonly secrets = new Map<string, Secret>();
  readonly configMaps = new Map<string, ConfigMap>();
  readonly forgotten: string[] = [];
  readonly warnings: string[] = [];
  readonly objects: VolumeObjects = {
    secret: async (namespace, name) => this.secrets.get(`${namespace}/${name}`),
    configMap: async (namespace, name) => this.configMaps.get(`${namespace}/${name}`),
    serviceAccountToken: async ({ serviceAccount, audience }) => `token of ${serviceAccount} for ${audience}`,
    issuedToken: async ({ serviceAccount, audience }) => ({
      token: `token of ${serviceAccount} for ${audience}`,
      expires: Date.parse('2026-01-02T04:04:05Z'),
    }),
    deleteServiceAccountTokens: (podUid) => void this.forgotten.push(podUid),
  };
  readonly fields = {
    field: (pod: Pod, path: string): string => {
      if (path === 'metadata.name') return pod.metadata.name ?? '';
      throw new Error(`unsupported fieldPath: ${path}`);
    },
    resource: async (): Promise<string> => '1',
  };

  async nodeAllocatableMemory(): Promise<number> {
    return 1000;
  }

  warn(_pod: Pod, reason: string, message: string): void {
    this.warnings.push(`${reason}: ${message}`);
  }
}

/** A pod with volumes that its only container mounts below /mnt. */
export function aPod(spec: Partial<Pod['spec']> & { readonly uid?: string } = {}): Pod {
  const { uid = 'u1', volumes = [], ...rest } = spec;
  const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/mnt/${name}` }));
  return {
    metadata: { name: 'web', namespace: 'ns', uid },
    spec: { containers: [{ name: 'app', volumeMounts, resources: {} }], volumes, serviceAccountName: 'robot', ...rest },
    status: {},
  };
}
