import { messageOfError } from '#lib/machinery/error-message.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import { type RpcCode, RpcError } from '#lib/machinery/rpc.ts';
import { ExpansionError } from '../expansion.ts';
import { joinPath } from '../mount/path.ts';
import type { Expansion } from '../volume.ts';
import { credentials } from './attributes.ts';
import type { CSIHost } from './host.ts';
import { BOUNDS, isFinal, nodeAbilities, volumeCapability } from './node-service.ts';
import { blockPublishDir, blockStagingPath, stagingPath, targetPath } from './paths.ts';
import { accessModeOf, persistentSource } from './source.ts';

const PREFIX = 'Expander.NodeExpand failed to expand the volume';
/** Codes with which a driver rejects the size permanently. */
const INFEASIBLE: readonly RpcCode[] = ['InvalidArgument', 'OutOfRange', 'NotFound'];

/** Calls the driver to expand a mounted volume (upstream: csiPlugin.NodeExpand). Throws ExpansionError. */
export async function nodeExpand(csi: CSIHost, expansion: Expansion): Promise<void> {
  const { spec, block } = expansion;
  const source = persistentSource(spec);
  const client = clientOf(csi, source.driver);
  const abilities = await nodeAbilities(client).catch((error: unknown) => {
    const what = `Expander.NodeExpand failed to check if node supports expansion : ${messageOfError(error)}`;
    throw new ExpansionError('failed', what, { cause: error });
  });
  if (!abilities.expands)
    throw new ExpansionError('notSupported', `NodeExpand is not supported by the CSI driver ${source.driver}`);
  const use = {
    accessMode: accessModeOf(spec),
    block,
    fsType: source.fsType ?? '',
    mountOptions: spec.persistentVolume?.spec.mountOptions ?? [],
  };
  const request = {
    ...pathsOf(csi, expansion),
    volumeId: source.volumeHandle,
    capacityRange: { requiredBytes: Number(wholeValue(expansion.newSize)) },
    volumeCapability: volumeCapability(use, abilities),
    secrets: await secretsOf(csi, source.nodeExpandSecretRef),
  };
  await client.nodeExpandVolume(request, BOUNDS).catch((error: unknown) => {
    throw asExpansionError(error);
  });
}

/** A missing driver may come back, so the expansion stays pending. */
function clientOf(csi: CSIHost, driver: string): ReturnType<CSIHost['client']> {
  try {
    return csi.client(driver);
  } catch (error) {
    throw new ExpansionError('pending', messageOfError(error), { cause: error });
  }
}

function pathsOf(
  { host: { rootDirectory: root } }: CSIHost,
  { spec, pod, block }: Expansion,
): { readonly volumePath: string; readonly stagingTargetPath: string } {
  const { driver, volumeHandle } = persistentSource(spec);
  const uid = pod.metadata.uid ?? '';
  return block
    ? {
        volumePath: joinPath(blockPublishDir(root, spec.name), uid),
        stagingTargetPath: blockStagingPath(root, spec.name),
      }
    : { volumePath: targetPath(root, uid, spec.name), stagingTargetPath: stagingPath(root, driver, volumeHandle) };
}

async function secretsOf(
  csi: CSIHost,
  reference: Parameters<typeof credentials>[1] | undefined,
): ReturnType<typeof credentials> {
  if (reference === undefined) return {};
  try {
    return await credentials(csi, reference);
  } catch (error) {
    const name = `${reference.namespace ?? ''}/${reference.name ?? ''}`;
    throw new ExpansionError(
      'failed',
      `expander.NodeExpand failed to get NodeExpandSecretRef ${name}: ${messageOfError(error)}`,
      { cause: error },
    );
  }
}

function asExpansionError(error: unknown): ExpansionError {
  const reason = messageOfError(error);
  const code = error instanceof RpcError ? error.code : undefined;
  if (code === 'FailedPrecondition') return new ExpansionError('inUse', `${PREFIX} : ${reason}`, { cause: error });
  if (code !== undefined && INFEASIBLE.includes(code))
    return new ExpansionError('infeasible', `${PREFIX} ${reason}`, { cause: error });
  return new ExpansionError(isFinal(error) ? 'failed' : 'pending', `${PREFIX} : ${reason}`, { cause: error });
}
