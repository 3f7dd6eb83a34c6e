import type { ImageService, RuntimeService } from '#lib/node/cri-api/services.ts';

/** The runtime with upstream's timeouts of calls that take long; the others have `timeout`, in milliseconds. A caller's own timeout goes before. */
export const withTimeouts = (runtime: RuntimeService, timeout: number): RuntimeService => ({
  ...runtime,
  runPodSandbox: (request, options) => runtime.runPodSandbox(request, { timeout: timeout * 2, ...options }),
  // The runtime kills after the grace period, and that takes a while too.
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

/** The images with upstream's timeouts: a pull ends by its signal alone. */
export const withImageTimeouts = (images: ImageService): ImageService => ({
  ...images,
  pullImage: (request, options) => images.pullImage(request, { timeout: Infinity, ...options }),
});

const secondsOf = (seconds: bigint | number | string | undefined): number => Number(seconds ?? 0) * 1000;
