import { systemClock as clock } from '#adapters/clock.ts';
import { hostRecordFiles } from '#adapters/host/record-files.ts';
import { BasicKeyring } from '#lib/credentialprovider/keyring.ts';
import { newImageManager } from '#lib/kubelet/images/ensure-image-exists.ts';
import type { ImageManager } from '#lib/kubelet/images/image-manager.ts';
import { filePullRecords } from '#lib/kubelet/images/pullmanager/file-pull-records.ts';
import { PullManager } from '#lib/kubelet/images/pullmanager/pull-manager.ts';
import { verificationPolicy } from '#lib/kubelet/images/pullmanager/policy.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { PodContext } from './context.ts';

const POLICIES = ['NeverVerify', 'NeverVerifyPreloadedImages', 'NeverVerifyAllowlistedImages', 'AlwaysVerify'] as const;

/** Makes the manager of images. */
export async function nodeImages(context: PodContext): Promise<ImageManager> {
  const { configuration, rootDir, services, recorder, log } = context;
  const wanted = configuration.imagePullCredentialsVerificationPolicy;
  const policy = POLICIES.find((one) => one === wanted) ?? 'NeverVerifyPreloadedImages';
  const pulls = new PullManager({
    records: filePullRecords(hostRecordFiles(rootDir)),
    requiresVerification: verificationPolicy(policy, configuration.preloadedImagesVerificationAllowlist),
    clock,
    onFault: log.fault('cannot keep the record of a pulled image'),
  });
  await pulls.initialize(async () => (await services.images.listImages({})).images);
  const { serializeImagePulls, maxParallelImagePulls, registryPullQPS, registryBurst } = configuration;
  return newImageManager({
    images: services.images,
    recorder,
    keyring: new BasicKeyring(),
    pulls,
    clock,
    limits: {
      serialize: serializeImagePulls ?? (maxParallelImagePulls ?? 1) < 2,
      ...defined({ maxParallel: maxParallelImagePulls }),
      qps: registryPullQPS,
      burst: registryBurst,
    },
  });
}
