import { RpcError } from '#lib/machinery/rpc.ts';
import { Image, ImageFsInfoResponse } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { ImageService } from '#lib/node/cri-api/services.ts';
import type { Caller } from './fake-runtime-calls.ts';

/** An image with its names. */
export interface FakeImage {
  readonly id: string;
  readonly repoTags: readonly string[];
  readonly repoDigests?: readonly string[];
  /** Size in bytes. */
  readonly size?: bigint;
  readonly uid?: bigint;
  readonly username?: string;
  readonly pinned?: boolean;
}

/** The images of the fake runtime. */
export class FakeImages {
  /** Images on the node by ID. */
  readonly present = new Map<string, FakeImage>();
  /** Images in registries by the name that pulls them. An Error is thrown by the pull. */
  readonly registry = new Map<string, FakeImage | Error>();

  /** The image on the node with this ID, tag or digest. */
  find(name: string): FakeImage | undefined {
    return [...this.present.values()].find(
      ({ id, repoTags, repoDigests = [] }) => id === name || repoTags.includes(name) || repoDigests.includes(name),
    );
  }

  /** Adds an image to the node with this name and an ID derived from it. */
  add(name: string): FakeImage {
    const image = { id: `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0')}`, repoTags: [name] };
    this.present.set(image.id, image);
    return image;
  }
}

/** An image service for in-memory images. */
export function imageService(images: FakeImages, call: Caller): ImageService {
  return {
    listImages: ({ filter }) =>
      call('listImages', () => {
        const name = filter?.image?.image ?? '';
        const found = name === '' ? [...images.present.values()] : [images.find(name)];
        return { images: found.flatMap((image) => (image === undefined ? [] : [messageOf(image)])) };
      }),
    streamImages: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => call('streamImages', unimplemented) }),
    }),
    imageStatus: ({ image }) =>
      call('imageStatus', () => {
        const found = images.find(image?.image ?? '');
        return { image: found && messageOf(found), info: {} };
      }),
    pullImage: ({ image }) =>
      call('pullImage', () => {
        const name = image?.image ?? '';
        const found = images.registry.get(name);
        if (found === undefined) throw new RpcError('NotFound', `failed to pull and unpack image "${name}": not found`);
        if (found instanceof Error) throw found;
        images.present.set(found.id, found);
        return { imageRef: found.id };
      }),
    removeImage: ({ image }) =>
      call('removeImage', () => {
        const found = images.find(image?.image ?? '');
        if (found !== undefined) images.present.delete(found.id);
        return {};
      }),
    imageFsInfo: () => call('imageFsInfo', () => ImageFsInfoResponse.fromPartial({})),
  };
}

const messageOf = ({ id, repoTags, repoDigests = [], size = 1n, uid, username = '', pinned = false }: FakeImage) =>
  Image.fromPartial({
    id,
    repoTags: [...repoTags],
    repoDigests: [...repoDigests],
    size,
    username,
    pinned,
    ...(uid === undefined ? {} : { uid: { value: uid } }),
  });

function unimplemented(): never {
  throw new RpcError('Unimplemented', 'unknown method');
}
