import type { DownwardAPIVolumeFile, Pod } from '#lib/api/types/core.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { FileProjection, Payload } from '../atomic-writer.ts';
import type { VolumeHost } from '../host.ts';
import { requireMode } from '../keys.ts';
import { cleanPath } from '../mount/path.ts';
import { payloadPlugin } from '../payload-volume.ts';
import type { VolumePlugin } from '../volume.ts';

/** The plugin for `downwardAPI` volumes. */
export const downwardAPIPlugin = (host: VolumeHost): VolumePlugin =>
  payloadPlugin(host, {
    name: 'kubernetes.io/downward-api',
    medium: '',
    canSupport: ({ volume }) => volume?.downwardAPI !== undefined,
    collect: async ({ volume }, pod) =>
      downwardAPIPayload(host, pod, volume?.downwardAPI?.items ?? [], volume?.downwardAPI?.defaultMode),
  });

/** The files with a pod's own values. Throws a single error with the reasons of all missing values. */
export async function downwardAPIPayload(
  host: VolumeHost,
  pod: Pod,
  items: readonly DownwardAPIVolumeFile[],
  defaultMode: number | undefined,
): Promise<Payload> {
  const mode = requireMode(defaultMode);
  const payload = new Map<string, FileProjection>();
  const failures: string[] = [];
  for (const item of items) {
    try {
      const data = new TextEncoder().encode(await valueOf(host, pod, item));
      payload.set(cleanPath(item.path), { data, mode: item.mode ?? mode });
    } catch (error) {
      failures.push(messageOfError(error));
    }
  }
  if (failures.length > 0) throw new Error(aggregateText(failures));
  return payload;
}

async function valueOf({ fields }: VolumeHost, pod: Pod, item: DownwardAPIVolumeFile): Promise<string> {
  if (item.fieldRef !== undefined) return fields.field(pod, item.fieldRef.fieldPath);
  return item.resourceFieldRef === undefined ? '' : fields.resource(pod, item.resourceFieldRef);
}
