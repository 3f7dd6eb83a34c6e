import type { ImageService, RuntimeService } from '#lib/node/cri-api/services.ts';

/**
 * Adds upstream's time-outs for long calls to the runtime. Other calls have the time-out `timeout` in ms. A time-out set by the caller
 * takes precedence.
 */
export const withTimeouts = (runtime: RuntimeService, timeout: number): RuntimeService => ({
  ...runtime,
  runPodSandbox: (request, options) => runtime.runPodSandbox(request, { timeout: timeout * 2, ...options }),
  // The runtime kills the container after the grace period, which takes some more time.
  stopContainer: (request, options) =>
    runtime.stopContainer(request, { timeout: timeout + secondsOf(request.timeout), ...options }),
  execSync: (request, options) => {
    const within = secondsOf(request.timeout);
    return runtime.execSync(request, { timeout: within === 0 ? Infinity : timeout + within, ...options });
  },
  checkpointContainer: (request, options) => {
    const within = Math.max(timeout, secondsOf(request.timeout));
    const seconds = BigInt(Math.trunc(within / 1000));
    return runtime.checkpointContainer({ ...request, timeout: seconds }, { timeout: within, ...options });
  },
});

/** Adds upstream's time-outs to the image service. A pull has no time-out and ends only with its signal. */
export const withImageTimeouts = (images: ImageService): ImageService => ({
  ...images,
  pullImage: (request, options) => images.pullImage(request, { timeout: Infinity, ...options }),
});

const secondsOf = (seconds: bigint | number | string | undefined): number => Number(seconds ?? 0) * 1000;
