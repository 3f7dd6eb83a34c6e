import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { durationText } from '#lib/machinery/duration.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { MAX_INT64 } from '#lib/machinery/integer-limits.ts';
import type { ImageService } from '#lib/node/cri-api/services.ts';
import type { RunningPod } from '../container/runtime.ts';
import type { EventSubject, NodeEventRecorder } from '../events/recorder.ts';
import type { FsInfo } from '../host.ts';
import { formatSize } from './format-size.ts';
import { ImageRecords, imagesInUse, type UnusedImage } from './image-records.ts';

/** The rules for the removal of images. */
export interface ImageGCPolicy {
  /** Usage of the image file system in percent at which removal starts. */
  readonly highThresholdPercent: number;
  /** Usage in percent at which removal stops. */
  readonly lowThresholdPercent: number;
  /** Minimum age in milliseconds before an image may be removed, counted from when it was first seen. */
  readonly minAge: number;
  /** Time in ms after which an unused image is removed, 0 for never. */
  readonly maxAge: number;
}

/** Upstream's defaults. */
export const DEFAULT_IMAGE_GC_POLICY: ImageGCPolicy = {
  highThresholdPercent: 85,
  lowThresholdPercent: 80,
  minAge: 120_000,
  maxAge: 0,
};

/** The ports of an image garbage collector. */
export interface ImageGCOptions {
  readonly images: ImageService;
  /** All pods with containers (Runtime.pods(true)). */
  readonly pods: () => Promise<readonly RunningPod[]>;
  /** The file system of the images. */
  readonly imageFs: () => Promise<Pick<FsInfo, 'capacity' | 'available'>>;
  readonly recorder: NodeEventRecorder;
  /** The Node, for events. */
  readonly node: EventSubject;
  readonly clock: Clock;
  readonly policy?: ImageGCPolicy;
  /** Called after images were removed for space, with the remaining ids and the start time in milliseconds since 1970. */
  readonly afterGC?: (remaining: readonly string[], began: number) => Promise<void>;
}

/** Removes images that no container uses (upstream: images.ImageGCManager). */
export class ImageGCManager {
  readonly #options: ImageGCOptions;
  readonly #policy: ImageGCPolicy;
  readonly #records = new ImageRecords();
  readonly #start: number;

  /** Throws Error with upstream's text for thresholds that are out of range. */
  constructor(options: ImageGCOptions) {
    this.#options = options;
    this.#policy = options.policy ?? DEFAULT_IMAGE_GC_POLICY;
    this.#start = options.clock.monotonic();
    validatePolicy(this.#policy);
  }

  /** Whether the policy removes anything at all. */
  get enabled(): boolean {
    return this.#policy.highThresholdPercent !== 100 || this.#policy.maxAge !== 0;
  }

  /**
   * Records the existing images and those in use. The age of an image starts here. Upstream does this every five minutes. Throws RpcError.
   */
  async detectImages(at = this.#options.clock.monotonic()): Promise<ReadonlySet<string>> {
    const { images, pods, clock } = this.#options;
    const { images: present } = await images.listImages({});
    const used = imagesInUse(await pods());
    this.#records.update(present, { used, detected: at, now: clock.monotonic() });
    return used;
  }

  /**
   * Removes images beyond the maximum age, and images above the high threshold. Throws Error with upstream's text if too little space was
   * freed.
   */
  async garbageCollect(): Promise<void> {
    const { clock, imageFs } = this.#options;
    const [freeTime, began] = [clock.monotonic(), clock.now()];
    const unused = await this.#freeOldImages(await this.#inEvictionOrder(freeTime), freeTime);
    const { capacity, available: told } = await imageFs();
    const available = Math.min(told, capacity);
    if (capacity === 0) throw this.#failed('InvalidDiskCapacity', 'invalid capacity 0 on image filesystem');
    const { highThresholdPercent, lowThresholdPercent } = this.#policy;
    const usage = 100 - Math.floor((available * 100) / capacity);
    if (usage < highThresholdPercent) return;
    const wanted = Math.floor((capacity * (100 - lowThresholdPercent)) / 100) - available;
    const freed = await this.#freeSpace(unused, wanted, freeTime);
    await this.#after(began);
    if (freed >= wanted) return;
    throw this.#failed(
      'FreeDiskSpaceFailed',
      `Insufficient free disk space on the node's image filesystem (${usage}% of ${formatSize(capacity)} used). Failed to free sufficient space by deleting unused images (freed ${freed} bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.`,
    );
  }

  /** Removes every unused image beyond the minimum age, for the eviction manager. Throws Error with upstream's text. */
  async deleteUnusedImages(): Promise<void> {
    const { clock } = this.#options;
    const [freeTime, began] = [clock.monotonic(), clock.now()];
    await this.#freeSpace(await this.#inEvictionOrder(freeTime), Infinity, freeTime);
    await this.#after(began);
  }

  #failed(reason: string, message: string): Error {
    const { recorder, node } = this.#options;
    recorder.event(node, 'Warning', reason, message);
    return new Error(message);
  }

  async #inEvictionOrder(freeTime: number): Promise<readonly UnusedImage[]> {
    const used = await this.detectImages(freeTime);
    return this.#records.unused(used);
  }

  async #freeOldImages(unused: readonly UnusedImage[], freeTime: number): Promise<readonly UnusedImage[]> {
    const { maxAge } = this.#policy;
    // The use of images before a restart is unknown. So no image counts as old until the agent has run for the maximum age.
    if (maxAge === 0 || freeTime - this.#start <= maxAge) return unused;
    const errors: string[] = [];
    const remaining: UnusedImage[] = [];
    for (const image of unused) {
      const isOld = freeTime - image.lastUsed > maxAge;
      if (!isOld || !(await this.#remove(image, errors))) remaining.push(image);
    }
    if (errors.length === 0) return remaining;
    const age = durationText(BigInt(Math.trunc(maxAge)) * 1_000_000n);
    throw new Error(
      `wanted to free images older than ${age}, encountered errors in image deletion: ${aggregateText(errors)}`,
    );
  }

  /** Removes images in order until this many bytes are free. Returns the number of freed bytes. */
  async #freeSpace(unused: readonly UnusedImage[], wanted: number, freeTime: number): Promise<number> {
    const errors: string[] = [];
    let freed = 0;
    for (const image of unused) {
      if (image.lastUsed >= freeTime || freeTime - image.firstDetected < this.#policy.minAge) continue;
      if (!(await this.#remove(image, errors))) continue;
      freed += image.size;
      if (freed >= wanted) break;
    }
    if (errors.length === 0) return freed;
    // Upstream passes MaxInt64 to remove all.
    const bytes = wanted === Infinity ? String(MAX_INT64) : String(wanted);
    throw new Error(
      `wanted to free ${bytes} bytes, but freed ${freed} bytes space with errors in image deletion: ${aggregateText(errors)}`,
    );
  }

  async #remove({ id }: UnusedImage, errors: string[]): Promise<boolean> {
    try {
      await this.#options.images.removeImage({ image: { image: id } });
    } catch (error) {
      errors.push(messageOfError(error));
      return false;
    }
    this.#records.delete(id);
    return true;
  }

  async #after(began: number): Promise<void> {
    await this.#options.afterGC?.(this.#records.ids, began);
  }
}

function validatePolicy({ highThresholdPercent: high, lowThresholdPercent: low }: ImageGCPolicy): void {
  const isPercent = (value: number): boolean => value >= 0 && value <= 100;
  if (!isPercent(high)) throw new Error(`invalid HighThresholdPercent ${high}, must be in range [0-100]`);
  if (!isPercent(low)) throw new Error(`invalid LowThresholdPercent ${low}, must be in range [0-100]`);
  if (low > high) throw new Error(`LowThresholdPercent ${low} can not be higher than HighThresholdPercent ${high}`);
}
