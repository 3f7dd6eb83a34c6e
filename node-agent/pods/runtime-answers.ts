import type { RuntimeServices } from '#adapters/node/grpc/cri/runtime-services.ts';
import type { RuntimeStatus, StatusResponse } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { nodeImages } from '#lib/node/kubelet/nodestatus/images.ts';
import type { RuntimeFacts } from '#lib/node/kubelet/nodestatus/runtime-info.ts';

/** The status and facts that the container runtime reports about itself. */
export class RuntimeAnswers {
  readonly #services: RuntimeServices;
  #last: StatusResponse | undefined;

  constructor(services: RuntimeServices) {
    this.#services = services;
  }

  /** The handlers in the runtime's last status. */
  get handlers(): StatusResponse['runtimeHandlers'] {
    return this.#last?.runtimeHandlers ?? [];
  }

  /** The runtime's conditions. Throws RpcError. */
  async status(): Promise<Pick<RuntimeStatus, 'conditions'>> {
    this.#last = await this.#services.runtime.status({});
    return { conditions: this.#last.status?.conditions ?? [] };
  }

  /** The runtime's handlers, features and images for the Node status. Images are omitted if the runtime does not list them. */
  async facts(maxImages: number): Promise<RuntimeFacts> {
    const images = await this.#services.images.listImages({}).then(
      (answer) => answer.images,
      () => [],
    );
    return { handlers: this.handlers, features: this.#last?.features, images: nodeImages(images, maxImages) };
  }
}
