import { RpcError } from '#lib/machinery/rpc.ts';
import type { ContainerStatus, PodSandboxStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { ImageService, RuntimeService } from '#lib/node/cri-api/services.ts';

/**
 * Wraps the runtime and checks its responses as upstream's client does. An incomplete response becomes RpcError Internal with upstream's
 * text.
 */
export const verifiedRuntime = (runtime: RuntimeService): RuntimeService => ({
  ...runtime,
  async version(request, options) {
    const answer = await runtime.version(request, options);
    const { version, runtimeName, runtimeApiVersion, runtimeVersion } = answer;
    const fields = { Version: version, RuntimeName: runtimeName, RuntimeApiVersion: runtimeApiVersion };
    const missing = Object.entries({ ...fields, RuntimeVersion: runtimeVersion }).filter(([, value]) => value === '');
    const names = missing.map(([name]) => name).join(', ');
    if (names !== '') throw incomplete(`not all fields are set in VersionResponse (missing ${names})`);
    return answer;
  },
  async status(request, options) {
    const answer = await runtime.status(request, options);
    if ((answer.status?.conditions.length ?? 0) < 2)
      throw incomplete('RuntimeReady or NetworkReady condition are not set');
    return answer;
  },
  async runPodSandbox(request, options) {
    const answer = await runtime.runPodSandbox(request, options);
    if (answer.podSandboxId === '')
      throw incomplete(`PodSandboxId is not set for sandbox ${JSON.stringify(request.config?.metadata?.name)}`);
    return answer;
  },
  async podSandboxStatus(request, options) {
    const answer = await runtime.podSandboxStatus(request, options);
    verifySandbox(answer.status);
    return answer;
  },
  async createContainer(request, options) {
    const answer = await runtime.createContainer(request, options);
    if (answer.containerId === '')
      throw incomplete(`ContainerId is not set for container ${JSON.stringify(request.config?.metadata?.name)}`);
    return answer;
  },
  async containerStatus(request, options) {
    const answer = await runtime.containerStatus(request, options);
    verifyContainer(answer.status);
    return answer;
  },
  exec: async (request, options) => withUrl(await runtime.exec(request, options)),
  attach: async (request, options) => withUrl(await runtime.attach(request, options)),
  portForward: async (request, options) => withUrl(await runtime.portForward(request, options)),
});

/**
 * Wraps the image service and checks its responses as upstream's client does. An incomplete response becomes RpcError Internal with
 * upstream's text.
 */
export const verifiedImages = (images: ImageService): ImageService => ({
  ...images,
  async imageStatus(request, options) {
    const answer = await images.imageStatus(request, options);
    if (answer.image !== undefined && (answer.image.id === '' || answer.image.size === 0n))
      throw incomplete(`Id or size of image ${JSON.stringify(request.image?.image ?? '')} is not set`);
    return answer;
  },
  async pullImage(request, options) {
    const answer = await images.pullImage(request, options);
    if (answer.imageRef === '')
      throw incomplete(`imageRef of image ${JSON.stringify(request.image?.image ?? '')} is not set`);
    return answer;
  },
});

const incomplete = (details: string): RpcError => new RpcError('Internal', details);

function withUrl<T extends { readonly url: string }>(answer: T): T {
  if (answer.url === '') throw incomplete('URL is not set');
  return answer;
}

function verifySandbox(status: PodSandboxStatus | undefined): void {
  if (status === undefined) return;
  const { id, metadata, createdAt } = status;
  if (id === '') throw incomplete('status.Id is not set');
  if (metadata === undefined) throw incomplete('status.Metadata is not set');
  if (metadata.name === '' || metadata.namespace === '' || metadata.uid === '')
    throw incomplete(
      `metadata.Name, metadata.Namespace or metadata.Uid is not in metadata ${JSON.stringify(metadata)}`,
    );
  if (createdAt === 0n) throw incomplete('status.CreatedAt is not set');
}

function verifyContainer(status: ContainerStatus | undefined): void {
  if (status === undefined) return;
  const { id, metadata, createdAt, image, imageRef } = status;
  if (id === '') throw incomplete('status.Id is not set');
  if (metadata === undefined) throw incomplete('status.Metadata is not set');
  if (metadata.name === '') throw incomplete(`metadata.Name is not in metadata ${JSON.stringify(metadata)}`);
  if (createdAt === 0n) throw incomplete('status.CreatedAt is not set');
  if ((image?.image ?? '') === '') throw incomplete('status.Image is not set');
  if (imageRef === '') throw incomplete('status.ImageRef is not set');
}
