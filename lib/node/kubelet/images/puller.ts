import type { Clock } from '#lib/machinery/clock.ts';
import { TokenBucket } from '#lib/machinery/token-bucket.ts';
import type { ImageService } from '#lib/node/cri-api/services.ts';
import { imageSizeOf, type PulledImage, type PullRequest, pullImage } from './image-service.ts';

/** The limits for pulls. */
export interface PullLimits {
  /** Whether to pull one image at a time (upstream: serializeImagePulls). */
  readonly serialize: boolean;
  /** Maximum number of parallel pulls if they are not serialized. Absent for no limit. */
  readonly maxParallel?: number;
  /** Pulls per second (upstream: registryPullQPS), 0 for no limit. */
  readonly qps: number;
  readonly burst: number;
}

/** Upstream's defaults. */
export const DEFAULT_PULL_LIMITS: PullLimits = { serialize: true, qps: 5, burst: 10 };

/** A pull with its size and its duration without time in the queue. */
export interface TimedPull extends PulledImage {
  readonly size: bigint;
  /** Duration in milliseconds. */
  readonly duration: number;
}

/** Pulls images in the order of the requests, with limited concurrency (upstream: imagePuller). */
export class Puller {
  readonly #images: ImageService;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket | undefined;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(images: ImageService, clock: Clock, { serialize, maxParallel = 0, qps, burst }: PullLimits) {
    this.#images = images;
    this.#clock = clock;
    this.#bucket = qps === 0 ? undefined : new TokenBucket({ qps, burst, clock });
    const parallel = maxParallel < 1 ? Infinity : maxParallel;
    this.#free = serialize ? 1 : parallel;
  }

  /** Queues and executes a pull. Throws Error with the runtime's text, or `pull QPS exceeded`. */
  async pull(request: PullRequest): Promise<TimedPull> {
    await this.#turn();
    try {
      const start = this.#clock.monotonic();
      if (this.#bucket?.allow() === false) throw new Error('pull QPS exceeded');
      const pulled = await pullImage(this.#images, request);
      const size = await imageSizeOf(this.#images, request.image);
      return { ...pulled, size, duration: this.#clock.monotonic() - start };
    } finally {
      this.#next();
    }
  }

  #turn(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
