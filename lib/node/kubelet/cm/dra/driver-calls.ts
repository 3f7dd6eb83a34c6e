import { messageOfError } from '#lib/machinery/error-message.ts';
import type { Claim, Device } from '#lib/node/kubelet-api/generated/dra-v1.ts';
import type { DRAClient } from '#lib/node/kubelet-api/services.ts';
import type { PreparedDevice } from './claim-info.ts';
import type { DRAPlugin, DRAPlugins } from './plugin/dra-plugins.ts';

/** A claim in the format for drivers. */
export type ClaimRequest = Claim;

/** Connections to DRA drivers. */
export interface DRAClients {
  /** The client for a plugin's chosen service, cached per plugin. */
  client(plugin: DRAPlugin): DRAClient;
}

/** Time-out of a driver call in milliseconds. */
const TIMEOUT = 45_000;

/** Calls DRA drivers and checks their responses. */
export class DriverCalls {
  readonly #plugins: Pick<DRAPlugins, 'get'>;
  readonly #clients: DRAClients;

  constructor(plugins: Pick<DRAPlugins, 'get'>, clients: DRAClients) {
    this.#plugins = plugins;
    this.#clients = clients;
  }

  /** Throws Error with upstream's text if the driver is not registered. */
  plugin(driverName: string): DRAPlugin {
    if (driverName === '') throw new Error('DRA driver name is empty');
    const plugin = this.#plugins.get(driverName);
    if (plugin === undefined) throw new Error(`DRA driver ${driverName} is not registered`);
    return plugin;
  }

  /** The prepared devices by the claim's uid. Rejects with upstream's text if the driver fails or skips a claim. */
  async prepare(
    driver: string,
    claims: readonly ClaimRequest[],
  ): Promise<ReadonlyMap<string, readonly PreparedDevice[]>> {
    const client = this.#clients.client(this.plugin(driver));
    const method = 'NodePrepareResources';
    const answer = await called(method, () =>
      client.nodePrepareResources({ claims: [...claims] }, { timeout: TIMEOUT }),
    );
    checkAnswers(method, claims, answer.claims);
    return new Map(Object.entries(answer.claims).map(([uid, { devices }]) => [uid, devices.map(prepared)]));
  }

  /** Rejects with upstream's text if the driver fails or skips a claim. */
  async unprepare(driver: string, claims: readonly ClaimRequest[]): Promise<void> {
    const client = this.#clients.client(this.plugin(driver));
    const method = 'NodeUnprepareResources';
    const answer = await called(method, () =>
      client.nodeUnprepareResources({ claims: [...claims] }, { timeout: TIMEOUT }),
    );
    checkAnswers(method, claims, answer.claims);
  }
}

async function called<T>(method: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new Error(`${method}: ${messageOfError(error)}`, { cause: error });
  }
}

function checkAnswers(
  method: string,
  claims: readonly ClaimRequest[],
  answers: Readonly<Record<string, { readonly error: string }>>,
): void {
  for (const [uid, { error }] of Object.entries(answers)) {
    const claim = claims.find((one) => one.uid === uid);
    if (claim === undefined) throw new Error(`${method} returned result for unknown claim UID ${uid}`);
    if (error !== '') throw new Error(`${method} failed for ResourceClaim ${claim.name}: ${error}`);
  }
  const skipped = claims.length - Object.keys(answers).length;
  if (skipped !== 0) throw new Error(`${method} skipped ${skipped} ResourceClaims`);
}

const prepared = ({ poolName, deviceName, shareId, requestNames, cdiDeviceIds }: Device): PreparedDevice => ({
  poolName,
  deviceName,
  shareID: shareId,
  requestNames,
  cdiDeviceIDs: cdiDeviceIds,
});
