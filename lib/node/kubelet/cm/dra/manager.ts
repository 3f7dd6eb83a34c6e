import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { isReservedFor } from '#lib/helpers/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { CheckpointFile } from '../../checkpointmanager/checkpoint-file.ts';
import type { CheckpointStore } from '../../checkpointmanager/checkpoint-store.ts';
import type { PodView } from '../active-containers.ts';
import { DRA_MANAGER_STATE, decodeClaims, encodeClaims } from './checkpoint.ts';
import { type ClaimInfo, cdiDevicesOf, newClaimInfo } from './claim-info.ts';
import { type ClaimRequest, type DRAClients, DriverCalls } from './driver-calls.ts';
import type { DRAPlugins } from './plugin/dra-plugins.ts';
import { type ClaimName, containerRequests, podClaimNames } from './pod-claim-names.ts';

/** The settings and ports of the DRA manager. */
export interface DRAManagerConfig {
  readonly checkpoints: CheckpointStore;
  readonly plugins: Pick<DRAPlugins, 'get'>;
  readonly clients: DRAClients;
  readonly pods: PodView;
  /** Reads a claim from the API server. Rejects with the server's Status. */
  resourceClaim(namespace: string, name: string): Promise<ResourceClaim>;
  /** Called when claims of a deleted pod cannot be released. The release is retried. */
  onFault(error: unknown): void;
}

/** Calls DRA drivers to prepare and release the claims of pods (upstream: dra.Manager). */
export class DRAManager {
  readonly #config: DRAManagerConfig;
  readonly #file: CheckpointFile;
  readonly #drivers: DriverCalls;
  /** Claims by namespace and name. */
  readonly #claims = new Map<string, ClaimInfo>();

  constructor(config: DRAManagerConfig) {
    this.#config = config;
    this.#file = new CheckpointFile(config.checkpoints, DRA_MANAGER_STATE);
    this.#drivers = new DriverCalls(config.plugins, config.clients);
  }

  /** Restores the claims. Rejects if the checkpoint cannot be read. */
  async start(): Promise<void> {
    const bytes = await this.#file.read();
    for (const info of bytes === undefined ? [] : decodeClaims(bytes)) this.#claims.set(keyOf(info), info);
    await this.#save('GetOrCreate() on checkpoint state');
  }

  /** Prepares all claims of a pod. Rejects with upstream's text for the event FailedPrepareDynamicResources. */
  async prepareResources(pod: Pod): Promise<void> {
    try {
      await this.#prepare(pod);
    } catch (error) {
      throw new Error(`prepare dynamic resources: ${messageOfError(error)}`, { cause: error });
    }
  }

  /** Releases the claims that no other pod uses. Idempotent. */
  async unprepareResources(pod: Pod): Promise<void> {
    const { uid = '', namespace = '' } = pod.metadata;
    try {
      const names = podClaimNames(pod).map(({ name }) => name);
      await this.#unprepare(uid, namespace, names);
    } catch (error) {
      throw new Error(`unprepare dynamic resources: ${messageOfError(error)}`, { cause: error });
    }
  }

  /** The CDI devices of a container. Throws Error if a claim is not prepared. */
  cdiDevices(pod: Pod, container: Container): string[] {
    const { namespace = '' } = pod.metadata;
    return [...containerRequests(pod, container)].flatMap(([name, requests]) => {
      const info = this.#claims.get(`${namespace}/${name}`);
      if (info === undefined) throw missing(namespace, name);
      return requests.flatMap((request) => cdiDevicesOf(info, request));
    });
  }

  /** The claim that a pod uses, or undefined if unknown. */
  claimInfo(namespace: string, name: string): ClaimInfo | undefined {
    return this.#claims.get(`${namespace}/${name}`);
  }

  /** Pods that use a device of a driver. */
  podsWithDevice(driverName: string, poolName: string, deviceName: string): string[] {
    const uses = ({ drivers }: ClaimInfo): boolean =>
      (drivers.get(driverName) ?? []).some((one) => one.poolName === poolName && one.deviceName === deviceName);
    return [...this.#claims.values()].filter(uses).flatMap(({ podUIDs }) => [...podUIDs]);
  }

  /** Whether the pod still uses a claim. */
  podMightNeedToUnprepareResources(podUID: string): boolean {
    return [...this.#claims.values()].some(({ podUIDs }) => podUIDs.has(podUID));
  }

  /** Releases claims of deleted pods. Upstream does this every 60 s. */
  async reconcile(): Promise<void> {
    const { pods, onFault } = this.#config;
    if (!pods.sourcesReady()) return;
    const active = new Set(pods.activePods().map(({ metadata }) => metadata.uid));
    const gone = new Map<string, { readonly namespace: string; readonly names: string[] }>();
    for (const { podUIDs, namespace, claimName } of this.#claims.values()) {
      for (const uid of podUIDs) {
        if (active.has(uid)) continue;
        const own = gone.get(uid) ?? { namespace, names: [] };
        own.names.push(claimName);
        gone.set(uid, own);
      }
    }
    for (const [uid, { namespace, names }] of gone) await this.#unprepare(uid, namespace, names).catch(onFault);
  }

  async #prepare(pod: Pod): Promise<void> {
    const fresh: ClaimInfo[] = [];
    for (const name of podClaimNames(pod)) fresh.push(await this.#validClaim(pod, name));
    const infos: ClaimInfo[] = [];
    for (const info of fresh) {
      const known = this.#claims.get(keyOf(info)) ?? info;
      if (known.claimUID !== info.claimUID) {
        const old = `old ResourceClaim with same name ${info.claimName} and different UID ${known.claimUID}`;
        throw new Error(`${old} still exists (previous pod force-deleted?!)`);
      }
      this.#claims.set(keyOf(info), known);
      known.podUIDs.add(pod.metadata.uid ?? '');
      infos.push(known);
    }
    await this.#save('checkpoint ResourceClaim cache');
    const waiting = infos.filter(({ prepared }) => !prepared);
    for (const [driver, claims] of batchesOf(waiting)) {
      for (const [uid, devices] of await this.#drivers.prepare(driver, claims)) {
        const info = waiting.find(({ claimUID }) => claimUID === uid);
        if (info === undefined || !this.#claims.has(keyOf(info)))
          throw missing(info?.namespace ?? '', info?.claimName ?? '');
        info.drivers.set(driver, devices);
      }
    }
    for (const info of waiting) info.prepared = true;
    if (waiting.length > 0) await this.#save('checkpoint ResourceClaim state');
  }

  /** Validates the claim and its drivers before any change, so a pod that fails here needs no cleanup. */
  async #validClaim(pod: Pod, { name, mustCheckOwner }: ClaimName): Promise<ClaimInfo> {
    const { namespace = '', uid } = pod.metadata;
    const claim = await this.#config.resourceClaim(namespace, name).catch((error: unknown) => {
      throw new Error(`fetch ResourceClaim ${name}: ${messageOfError(error)}`, { cause: error });
    });
    const { metadata } = claim;
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (mustCheckOwner && owner?.uid !== uid) {
      const names = `ResourceClaim ${metadata.namespace}/${metadata.name} was not created for pod ${namespace}/${pod.metadata.name}`;
      throw new Error(`${names} (pod is not owner)`);
    }
    if (!isReservedFor(pod, claim))
      throw new Error(
        `pod ${pod.metadata.name} (${uid}) is not allowed to use ResourceClaim ${name} (${metadata.uid})`,
      );
    const info = claimInfoOf(claim);
    for (const driver of info.drivers.keys()) this.#drivers.plugin(driver);
    return info;
  }

  async #unprepare(podUID: string, namespace: string, names: readonly string[]): Promise<void> {
    const infos = names.flatMap((name) => this.#claims.get(`${namespace}/${name}`) ?? []);
    const last = infos.filter(({ podUIDs }) => podUIDs.size <= 1);
    for (const { podUIDs } of infos) if (podUIDs.size > 1) podUIDs.delete(podUID);
    for (const [driver, claims] of batchesOf(last)) await this.#drivers.unprepare(driver, claims);
    for (const info of last) {
      info.podUIDs.delete(podUID);
      info.prepared = false; // a pod that started to use the claim meanwhile prepares it again
      if (info.podUIDs.size === 0) this.#claims.delete(keyOf(info));
    }
    if (infos.length > 0) await this.#save('checkpoint ResourceClaim state');
  }

  async #save(what: string): Promise<void> {
    try {
      await this.#file.write(encodeClaims([...this.#claims.values()]));
    } catch (error) {
      throw new Error(`${what}: ${messageOfError(error)}`, { cause: error });
    }
  }
}

const keyOf = ({ namespace, claimName }: ClaimInfo): string => `${namespace}/${claimName}`;

const missing = (namespace: string, name: string): Error =>
  new Error(`internal error: unable to get claim info for ResourceClaim ${name} in namespace ${namespace}`);

function claimInfoOf(claim: ResourceClaim): ClaimInfo {
  try {
    return newClaimInfo(claim);
  } catch (error) {
    throw new Error(`ResourceClaim ${claim.metadata.name}: ${messageOfError(error)}`, { cause: error });
  }
}

/** The claims by driver. */
function batchesOf(infos: readonly ClaimInfo[]): ReadonlyMap<string, readonly ClaimRequest[]> {
  const batches = new Map<string, ClaimRequest[]>();
  for (const { claimUID, claimName, namespace, drivers } of infos) {
    for (const driver of drivers.keys()) {
      batches.set(driver, [...(batches.get(driver) ?? []), { namespace, uid: claimUID, name: claimName }]);
    }
  }
  return batches;
}
