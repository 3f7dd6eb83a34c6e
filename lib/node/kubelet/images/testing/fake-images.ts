import { RpcError } from '#lib/machinery/rpc.ts';
import { type AuthConfig, type DeepPartial, Image } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { ImageService } from '#lib/node/cri-api/services.ts';

/** An image with this id and 2,000,000 bytes, unless overridden. */
export const anImage = (id: string, overrides: DeepPartial<Image> = {}): Image =>
  Image.fromPartial({ id, repoTags: [id], size: 2_000_000n, ...overrides });

/** The images of an in-memory runtime. */
export class FakeImages implements ImageService {
  /** Images by each of their names. */
  readonly present = new Map<string, Image>();
  /** The pulled images, each with the user of its credential. */
  readonly pulls: string[] = [];
  readonly removed: string[] = [];
  /** Called for each pull. Tests replace it, and throw to make a pull fail. */
  onPull: (image: string, auth: DeepPartial<AuthConfig> | undefined) => void | Promise<void> = () => undefined;
  /** Called for each status request. Tests replace it, and throw to make a request fail. */
  onStatus: () => void = () => undefined;
  onRemove: (image: string) => void = () => undefined;

  readonly listImages: ImageService['listImages'] = async () => ({ images: [...new Set(this.present.values())] });

  readonly imageStatus: ImageService['imageStatus'] = async ({ image }) => {
    this.onStatus();
    return { image: this.present.get(image?.image ?? ''), info: {} };
  };

  readonly pullImage: ImageService['pullImage'] = async ({ image, auth }, { signal } = {}) => {
    const name = image?.image ?? '';
    this.pulls.push(auth === undefined ? name : `${auth.username ?? ''}@${name}`);
    await this.onPull(name, auth);
    if (signal?.aborted === true) throw new RpcError('Canceled', 'context canceled');
    this.present.set(name, anImage(`id-of-${name}`, { repoTags: [name] }));
    return { imageRef: `id-of-${name}` };
  };

  readonly removeImage: ImageService['removeImage'] = async ({ image }) => {
    const id = image?.image ?? '';
    this.onRemove(id);
    this.removed.push(id);
    for (const [name, known] of this.present) if (known.id === id) this.present.delete(name);
    return {};
  };

  readonly imageFsInfo: ImageService['imageFsInfo'] = async () => ({ imageFilesystems: [], containerFilesystems: [] });

  readonly streamImages: ImageService['streamImages'] = async function* () {
    yield* [];
    throw new RpcError('Unimplemented', 'unknown method StreamImages');
  };
}
