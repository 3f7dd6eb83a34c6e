import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { DockerConfig } from '../docker-config.ts';
import type { CredentialSource } from '../keyring.ts';
import { matchesImage } from '../registry-url.ts';
import type { CredentialProvider } from './config.ts';
import { CredentialCache } from './credential-cache.ts';
import { execPlugin, type PluginResponse, type RunPlugin } from './exec-plugin.ts';
import type { CredentialProviderMetrics } from './metrics.ts';
import {
  type AccountOfPull,
  accountOfPull,
  NOT_MEANT,
  type PullingPod,
  type ServiceAccounts,
} from './service-account.ts';

/** The ports of a plugin. */
export interface PluginProviderOptions {
  readonly provider: CredentialProvider;
  readonly run: RunPlugin;
  readonly accounts: ServiceAccounts;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly metrics: CredentialProviderMetrics;
}

/** Credentials and the service account for which they were issued. */
export interface Provided {
  readonly config: DockerConfig;
  readonly source: CredentialSource;
}

const NOTHING: Provided = { config: new Map(), source: {} };
/** The cache key for all images. No image and no registry has this name. */
const GLOBAL = '<global>';
const NANOSECONDS = 1_000_000;

/** One plugin with its cache (upstream: pluginProvider). */
export class PluginProvider {
  readonly #options: PluginProviderOptions;
  readonly #cache: CredentialCache;
  /** The current plugin runs, which concurrent requests for the same image share. */
  readonly #runs = new Map<string, Promise<PluginResponse>>();

  constructor(options: PluginProviderOptions) {
    this.#options = options;
    this.#cache = new CredentialCache(options.clock);
  }

  /** The plugin's name. */
  get name(): string {
    return this.#options.provider.name;
  }

  /** The credentials for an image without tag and digest. Empty if the plugin does not apply. Throws an Error with upstream's message. */
  async provide(image: string, pod: PullingPod): Promise<Provided> {
    const { provider, accounts } = this.#options;
    if (!provider.matchImages.some((pattern) => matchesImage(pattern, image))) return NOTHING;
    const attributes = provider.tokenAttributes;
    const account = attributes == null ? undefined : await accountOfPull(attributes, pod, accounts);
    if (account === NOT_MEANT) return NOTHING;
    const keys = [image, registryOf(image), GLOBAL].map((key) => cacheKey(key, account));
    const config = this.#cache.first(keys) ?? (await this.#ask(image, account));
    return { config, source: account?.source ?? {} };
  }

  async #ask(image: string, account: AccountOfPull | undefined): Promise<DockerConfig> {
    const response = await this.#run(image, account).catch((cause: unknown) => {
      const why = messageOfError(cause);
      throw new Error(`failed to get credential from external registry credential provider: ${why}`, { cause });
    });
    const { provider } = this.#options;
    const auth = Object.entries(response.auth ?? {});
    if (account !== undefined && provider.tokenAttributes?.cacheType !== 'Token')
      if (auth.some(([, { password }]) => account.token !== '' && password === account.token))
        throw new Error(
          "credential provider plugin returned the service account token as the password which is not allowed when service account cache type is not set to 'Token'",
        );
    const key = keyOf(response.cacheKeyType, image);
    const config = new Map(auth.map(([registry, login]) => [registry, { ...login, email: '' }]));
    const duration = response.cacheDuration ?? provider.defaultCacheDuration ?? 0n;
    if (duration !== 0n) this.#cache.add(cacheKey(key, account), config, Number(duration) / NANOSECONDS);
    return config;
  }

  /** Runs the plugin once for concurrent requests that get the same response. */
  #run(image: string, account: AccountOfPull | undefined): Promise<PluginResponse> {
    const { token = '', annotations = new Map<string, string>(), flightKey = '' } = account ?? {};
    const key = JSON.stringify([image, flightKey]);
    const running = this.#runs.get(key);
    if (running !== undefined) return running;
    const run = execPlugin(this.#options, {
      image,
      serviceAccountToken: token,
      serviceAccountAnnotations: annotations,
    }).finally(() => this.#runs.delete(key));
    this.#runs.set(key, run);
    return run;
  }
}

const registryOf = (image: string): string => image.split('/')[0] ?? '';

const cacheKey = (key: string, account: AccountOfPull | undefined): string =>
  JSON.stringify([key, account?.cacheKey ?? '']);

/** The cache key of a response. It covers the image, all images of its registry, or all images of the plugin. */
function keyOf(type: string, image: string): string {
  if (type === 'Image') return image;
  if (type === 'Registry') return registryOf(image);
  if (type === 'Global') return GLOBAL;
  throw new Error(`credential provider plugin did not return a valid cacheKeyType: ${type}`);
}
