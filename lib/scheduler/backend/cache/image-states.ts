import type { Node } from '#lib/api/types/core.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { imageSizes } from '../../framework/new-node-info.ts';
import type { ImageState } from '../../framework/node-info.ts';

/** An image and the nodes that have it. */
class SharedImage implements ImageState {
  readonly size: number;
  readonly nodes = new Set<string>();

  constructor(size: number) {
    this.size = size;
  }

  get numNodes(): number {
    return this.nodes.size;
  }
}

/** The number of nodes that have each image. */
export class ImageStates {
  readonly #images = new Map<string, SharedImage>();

  /** The state of an image. The returned object stays up to date. */
  readonly of = (image: string, size: number): ImageState => this.#images.get(image) ?? { size, numNodes: 0 };

  add(node: Node): void {
    for (const [image, size] of imageSizes(node)) {
      const known = this.#images.get(image) ?? new SharedImage(size);
      this.#images.set(image, known);
      known.nodes.add(nameOf(node));
    }
  }

  remove(node: Node): void {
    for (const image of imageSizes(node).keys()) {
      const known = this.#images.get(image);
      known?.nodes.delete(nameOf(node));
      if (known?.nodes.size === 0) this.#images.delete(image);
    }
  }
}
