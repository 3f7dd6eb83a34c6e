import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { imageSizes } from '../../framework/new-node-info.ts';
import type { ImageState } from '../../framework/node-info.ts';

/** An image and who has it. */
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

/** On how many nodes each image is. */
export class ImageStates {
  readonly #images = new Map<string, SharedImage>();

  /** The state of an image, as of whenever it is read. */
  readonly of = (image: string, size: number): ImageState => this.#images.get(image) ?? { size, numNodes: 0 };

  add(node: JsonObject): void {
    for (const [image, size] of imageSizes(node)) {
      const known = this.#images.get(image) ?? new SharedImage(size);
      this.#images.set(image, known);
      known.nodes.add(nameOf(node));
    }
  }

  remove(node: JsonObject): void {
    for (const image of imageSizes(node).keys()) {
      const known = this.#images.get(image);
      known?.nodes.delete(nameOf(node));
      if (known?.nodes.size === 0) this.#images.delete(image);
    }
  }
}
