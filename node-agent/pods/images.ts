import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { systemClock as clock } from '#adapters/clock.ts';
import { Machine } from '#adapters/node/host/machine/machine.ts';
import { hostPlugins } from '#adapters/node/host/programs/run-plugin.ts';
import { hostRecordFiles } from '#adapters/node/host/records/record-files.ts';
import { SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import { notFound } from '#lib/machinery/errors.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { Keyring } from '#lib/node/credentialprovider/keyring.ts';
import { nodeKeyring } from '#lib/node/credentialprovider/node-keyring.ts';
import { CredentialProviderMetrics } from '#lib/node/credentialprovider/plugin/metrics.ts';
import { credentialProviders } from '#lib/node/credentialprovider/plugin/plugins.ts';
import type { PullingPod } from '#lib/node/credentialprovider/plugin/service-account.ts';
import type { ImageService } from '#lib/node/cri-api/services.ts';
import { serializesImagePulls } from '#lib/node/kubelet/apis/config/configuration.ts';
import type { Runtime } from '#lib/node/kubelet/container/runtime.ts';
import type { FsInfo } from '#lib/node/kubelet/host.ts';
import { newImageManager } from '#lib/node/kubelet/images/ensure-image-exists.ts';
import { ImageGCManager } from '#lib/node/kubelet/images/image-gc-manager.ts';
import type { ImageManager } from '#lib/node/kubelet/images/image-manager.ts';
import { filePullRecords } from '#lib/node/kubelet/images/pullmanager/file-pull-records.ts';
import { verificationPolicy } from '#lib/node/kubelet/images/pullmanager/policy.ts';
import { PullManager } from '#lib/node/kubelet/images/pullmanager/pull-manager.ts';
import { runImageGC } from '#lib/node/kubelet/images/run-image-gc.ts';
import type { ApiObjects } from './api-objects.ts';
import { nodeReference, type PodContext } from './context.ts';

const POLICIES = ['NeverVerify', 'NeverVerifyPreloadedImages', 'NeverVerifyAllowlistedImages', 'AlwaysVerify'] as const;

/** The images of a node. */
export interface NodeImages {
  readonly manager: ImageManager;
  readonly metrics: readonly Collector[];
  /** Creates the garbage collector of images. The runtime's containers show which images are used. */
  collector(runtime: Pick<Runtime, 'pods'>): ImageGCManager;
}

/** Creates the managers of images. */
export async function nodeImages(context: PodContext, objects: ApiObjects): Promise<NodeImages> {
  const { configuration, rootDir, services, recorder, log, node } = context;
  const wanted = configuration.imagePullCredentialsVerificationPolicy;
  const policy = POLICIES.find((one) => one === wanted) ?? 'NeverVerifyPreloadedImages';
  const pulls = new PullManager({
    records: filePullRecords(hostRecordFiles(rootDir)),
    requiresVerification: verificationPolicy(policy, configuration.preloadedImagesVerificationAllowlist),
    clock,
    onFault: log.fault('cannot keep the record of a pulled image'),
  });
  await pulls.initialize(async () => (await services.images.listImages({})).images);
  const { maxParallelImagePulls, registryPullQPS, registryBurst } = configuration;
  const plugins = imagePlugins(context, objects);
  const manager = newImageManager({
    images: services.images,
    recorder,
    ...(plugins && { podKeyring: plugins.keyring }),
    keyring: nodeKeyring({
      rootDirectory: rootDir,
      workingDirectory: process.cwd(),
      home: homedir(),
      clock,
      read: (path) => readFile(path).catch(() => undefined), // most nodes have none
    }),
    pulls,
    clock,
    limits: {
      serialize: serializesImagePulls(configuration),
      ...defined({ maxParallel: maxParallelImagePulls }),
      qps: registryPullQPS,
      burst: registryBurst,
    },
  });
  return {
    manager,
    metrics: plugins === undefined ? [] : [plugins.metrics],
    collector: (runtime) =>
      new ImageGCManager({
        images: services.images,
        pods: () => runtime.pods(true),
        imageFs: () => imageFsOf(services.images),
        recorder,
        node: nodeReference(node.latest),
        clock,
        policy: {
          highThresholdPercent: configuration.imageGCHighThresholdPercent,
          lowThresholdPercent: configuration.imageGCLowThresholdPercent,
          minAge: configuration.imageMinimumGCAge,
          maxAge: configuration.imageMaximumGCAge,
        },
        afterGC: (remaining, began) => pulls.pruneUnknownRecords(remaining, began),
      }),
  };
}

/** The credential provider plugins of the node. Undefined without any. */
function imagePlugins(
  { options, client, log }: PodContext,
  { tokens }: ApiObjects,
): { readonly keyring: (pod: PullingPod) => Keyring; readonly metrics: Collector } | undefined {
  const { credentialProviders: plugins } = options;
  if (plugins === undefined) return undefined;
  const metrics = new CredentialProviderMetrics(plugins.hash);
  const keyring = credentialProviders(plugins, {
    run: hostPlugins(plugins.folder),
    clock,
    metrics,
    accounts: {
      async get(namespace, name) {
        const account = await client.get({ resource: SERVICE_ACCOUNTS, namespace, name });
        if (account === undefined) throw notFound(SERVICE_ACCOUNTS, name);
        return account;
      },
      token: ({ audience, serviceAccountUid, pod: { namespace, name, uid, serviceAccountName: serviceAccount } }) =>
        tokens.get({
          namespace,
          serviceAccount,
          audience,
          serviceAccountUid,
          pod: { metadata: { name, namespace, uid } },
          expirationSeconds: undefined,
        }),
    },
    onFault: (plugin, image, error) =>
      log.fault(`Failed to provide credentials for image ${image} by plugin ${plugin}`)(error),
  });
  return { keyring, metrics };
}

/** Runs the kubelet's garbage collection of unused images until the signal aborts. */
export const collectImages = (
  { recorder, node, log }: PodContext,
  manager: ImageGCManager,
  signal: AbortSignal,
): Promise<void> =>
  runImageGC(
    { manager, recorder, node: nodeReference(node.latest), clock, onFault: log.fault('cannot collect images') },
    signal,
  );

/** The file system of images, as reported by the runtime. */
async function imageFsOf(images: ImageService): Promise<FsInfo> {
  const mountpoint = (await images.imageFsInfo({})).imageFilesystems[0]?.fsId?.mountpoint;
  if (mountpoint === undefined) throw new Error('imageFs information is unavailable');
  return new Machine({ rootDirectory: mountpoint }).rootFs();
}
