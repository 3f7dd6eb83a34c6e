import type { Container, Node, Pod } from '#lib/api/types/core.v1.ts';
import type { ImageSpec, RuntimeHandler, UserNamespace } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { SubpathMounter } from '#lib/node/volume/subpath/subpath.ts';
import type { ContainerManager } from './cm/container-manager.ts';
import type { Mount, PodMemoryUsage, RunContainerOptions, RuntimeHelper } from './container/runtime.ts';
import { makeBlockVolumes } from './kubelet-pods/block-volumes.ts';
import { type EnvironmentPorts, makeEnvironmentVariables } from './kubelet-pods/environment.ts';
import { nodeHostIPs, sortPodIPs } from './kubelet-pods/host-ips.ts';
import { hostnameAndDomain } from './kubelet-pods/hostname.ts';
import { makeMounts } from './kubelet-pods/mounts.ts';
import type { PodFiles } from './kubelet-pods/pod-files.ts';
import type { DNSConfigurer } from './network/dns/configurer.ts';
import { supportsRecursiveReadOnly } from './runtimeclass/recursive-read-only.ts';
import { userNamespace } from './userns/user-namespace.ts';
import type { VolumeManager } from './volumemanager/volume-manager.ts';

/** The API objects that the agent has. */
export interface HelperObjects extends Pick<EnvironmentPorts, 'configMap' | 'secret' | 'services'> {
  /** The Node from the server, or else the Node that the agent would register. */
  node(): Node;
  /** The runtime handler of a RuntimeClass, or '' without a name. Throws StatusError NotFound if the class does not exist. */
  runtimeHandler(runtimeClassName: string | undefined): string;
}

/** The other parts of the kubelet that a pod's containers need. */
export interface HelperRooms {
  readonly volumes: Pick<VolumeManager, 'mountedVolumes' | 'extraSupplementalGroups'>;
  readonly containers: Pick<ContainerManager, 'resources' | 'prepareDynamicResources' | 'unprepareDynamicResources'>;
  readonly dns: Pick<DNSConfigurer, 'podDNS'>;
  /** The cgroup of a pod in the runtime's format, or '' if it has none. */
  readonly cgroupParent: (pod: Pod) => string;
  /** The handlers that the runtime reports. Empty for an old runtime. */
  readonly runtimeHandlers: () => readonly RuntimeHandler[];
  readonly podMemoryUsage: (pod: Pod) => Promise<PodMemoryUsage>;
  readonly requestPodReinspect: (uid: string) => void;
  /** Called when the sandbox, network and volumes of a pod are ready. */
  readonly podSandboxReady: (pod: Pod) => Promise<void>;
}

/** The inputs of a helper. */
export interface HelperInputs {
  /** The agent's directory: `/var/lib/kubelet`. */
  readonly rootDirectory: string;
  /** Empty if not configured. */
  readonly clusterDomain: string;
  /** The configured addresses of the node. They decide which IP family comes first. */
  readonly nodeIPs: readonly string[];
  readonly objects: HelperObjects;
  readonly rooms: HelperRooms;
  readonly files: PodFiles;
  readonly subpaths: Pick<SubpathMounter, 'prepareSafeSubpath' | 'safeMakeDir'>;
}

const FOLDER_MODE = 0o750;

/** Provides the runtime with the node's additions to a pod's spec (upstream: the Kubelet as container.RuntimeHelper). */
export class KubeletRuntimeHelper implements RuntimeHelper {
  readonly #inputs: HelperInputs;

  constructor(inputs: HelperInputs) {
    this.#inputs = inputs;
  }

  /** See RuntimeHelper. Subpath mounts stay until the pod terminates, so there is nothing to clean up. */
  async runContainerOptions(
    pod: Pod,
    container: Container,
    podIPs: readonly string[],
    imageVolumes: ReadonlyMap<string, ImageSpec> = new Map(),
  ): Promise<{ readonly options: RunContainerOptions; cleanup(): Promise<void> }> {
    const { rooms, files } = this.#inputs;
    const given = await rooms.containers.resources(pod, container);
    const names = this.hostnameAndDomain(pod);
    const volumes = rooms.volumes.mountedVolumes(pod.metadata.uid ?? '');
    const devices = await makeBlockVolumes(container, volumes, files);
    const place = { podIPs: sortPodIPs(podIPs, this.#inputs.nodeIPs), hostIPs: () => this.#hostIPs(), volumes };
    const envs = [...given.envs, ...(await makeEnvironmentVariables(pod, container, place, this.#environment()))];
    const mounts = await this.#mounts(pod, container, { ...names, podIPs, volumes, envs, imageVolumes });
    const options = {
      ...given,
      envs,
      devices: [...given.devices, ...devices],
      mounts: [...given.mounts, ...mounts],
      podContainerDir: await this.#containerDir(pod, container),
    };
    return { options, cleanup: async () => undefined };
  }

  podDNS(pod: Pod): Promise<{ servers: string[]; searches: string[]; options: string[] }> {
    return this.#inputs.rooms.dns.podDNS(pod);
  }

  podCgroupParent(pod: Pod): string {
    return this.#inputs.rooms.cgroupParent(pod);
  }

  podDir(uid: string): string {
    return `${this.#inputs.rootDirectory}/pods/${uid}`;
  }

  hostnameAndDomain(pod: Pod): { readonly hostname: string; readonly domain: string } {
    return hostnameAndDomain(pod, this.#inputs.clusterDomain);
  }

  extraSupplementalGroups(pod: Pod): readonly number[] {
    return this.#inputs.rooms.volumes.extraSupplementalGroups(pod);
  }

  userNamespace(pod: Pod): UserNamespace {
    const handler = this.#inputs.objects.runtimeHandler(pod.spec.runtimeClassName);
    return userNamespace(pod, { handler, handlers: this.#inputs.rooms.runtimeHandlers() });
  }

  prepareDynamicResources(pod: Pod): Promise<void> {
    return this.#inputs.rooms.containers.prepareDynamicResources(pod);
  }

  unprepareDynamicResources(pod: Pod): Promise<void> {
    return this.#inputs.rooms.containers.unprepareDynamicResources(pod);
  }

  podMemoryUsage(pod: Pod): Promise<PodMemoryUsage> {
    return this.#inputs.rooms.podMemoryUsage(pod);
  }

  requestPodReinspect(uid: string): void {
    this.#inputs.rooms.requestPodReinspect(uid);
  }

  podSandboxReady(pod: Pod): Promise<void> {
    return this.#inputs.rooms.podSandboxReady(pod);
  }

  #hostIPs(): readonly string[] {
    return nodeHostIPs(this.#inputs.objects.node());
  }

  #environment(): EnvironmentPorts {
    const { objects, files } = this.#inputs;
    return {
      configMap: (namespace, name) => objects.configMap(namespace, name),
      secret: (namespace, name) => objects.secret(namespace, name),
      services: () => objects.services(),
      nodeAllocatable: () => objects.node().status.allocatable ?? {},
      readBelow: (folder, path) => files.readBelow(folder, path),
    };
  }

  #mounts(
    pod: Pod,
    container: Container,
    place: Omit<Parameters<typeof makeMounts>[2], 'podDir' | 'supportsRecursiveReadOnly'>,
  ): Promise<Mount[]> {
    const { files, subpaths, objects, rooms } = this.#inputs;
    const podDir = this.podDir(pod.metadata.uid ?? '');
    const isSupported = supportsRecursiveReadOnly(pod, {
      runtimeHandler: (name) => objects.runtimeHandler(name),
      runtimeHandlers: () => rooms.runtimeHandlers(),
    });
    const ownPlace = { ...place, podDir, supportsRecursiveReadOnly: isSupported };
    return makeMounts(pod, container, ownPlace, { files, subpaths });
  }

  /** The directory for the container's termination logs, or '' if the container wants none or the directory cannot be created. */
  async #containerDir(pod: Pod, { name, terminationMessagePath = '' }: Container): Promise<string> {
    if (terminationMessagePath === '') return '';
    const folder = `${this.podDir(pod.metadata.uid ?? '')}/containers/${name}`;
    try {
      await this.#inputs.files.makeFolder(folder, FOLDER_MODE);
      return folder;
    } catch {
      return '';
    }
  }
}
