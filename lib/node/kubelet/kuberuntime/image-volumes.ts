import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { ImageSpec } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { KubeletError } from '../container/sync-result.ts';
import { recordContainerEvent } from './container-events.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import type { StartContext } from './start-context.ts';

/** The images that a pod mounts as volumes. A failed pull only affects the containers that mount the image. */
export class ImageVolumes {
  readonly #ports: Pick<RuntimePorts, 'recorder'>;
  readonly #pod: Pod;
  readonly #pulls: ReadonlyMap<string, ImageSpec | KubeletError>;

  private constructor(
    ports: Pick<RuntimePorts, 'recorder'>,
    pod: Pod,
    pulls: ReadonlyMap<string, ImageSpec | KubeletError>,
  ) {
    this.#ports = ports;
    this.#pod = pod;
    this.#pulls = pulls;
  }

  /** Pulls the images of all image volumes (upstream: getImageVolumes). */
  static async pull(ports: Pick<RuntimePorts, 'images' | 'recorder'>, context: StartContext): Promise<ImageVolumes> {
    const { pod, pullSecrets, sandboxConfig, signal } = context;
    const pulls = new Map<string, ImageSpec | KubeletError>();
    for (const { name, image: source } of pod.spec.volumes ?? []) {
      if (source === undefined) continue;
      const { reference: image = '', pullPolicy = '' } = source;
      const container = { name, image, resources: {} };
      const request = { pod, container, image, pullPolicy, pullSecrets, sandboxConfig, ...defined({ signal }) };
      try {
        const pulled = await ports.images.ensureImageExists({ ...request, runtimeHandler: '', fieldPath: '' });
        const annotations = pod.metadata.annotations ?? {};
        pulls.set(name, ImageSpec.fromPartial({ image: pulled, userSpecifiedImage: image, annotations }));
      } catch (error) {
        pulls.set(name, errorOf(error));
      }
    }
    return new ImageVolumes(ports, pod, pulls);
  }

  /** The images that a container mounts, by volume. Throws the KubeletError of the last failed pull. */
  of(container: Container): ReadonlyMap<string, ImageSpec> {
    const images = new Map<string, ImageSpec>();
    let failure: KubeletError | undefined;
    for (const { name } of container.volumeMounts ?? []) {
      const pulled = this.#pulls.get(name);
      if (pulled instanceof KubeletError) {
        failure = pulled;
        const message = `Error: ${pulled.reason}`;
        recordContainerEvent(this.#ports, { pod: this.#pod, container, type: 'Warning', reason: 'Failed', message });
      } else if (pulled !== undefined) images.set(name, pulled);
    }
    if (failure !== undefined) throw failure;
    return images;
  }
}

const errorOf = (error: unknown): KubeletError =>
  error instanceof KubeletError ? error : new KubeletError('ErrImagePull', messageOfError(error), { cause: error });
