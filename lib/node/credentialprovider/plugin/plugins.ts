import { BasicKeyring, type Keyring } from '../keyring.ts';
import type { CredentialProviderConfig } from './config.ts';
import { PluginProvider, type PluginProviderOptions } from './plugin-provider.ts';
import type { PullingPod } from './service-account.ts';

/** The ports of the plugins. */
export interface CredentialProvidersOptions extends Omit<PluginProviderOptions, 'provider'> {
  /** Reports that a plugin returned no credentials. The pull continues without them. No message contains a token or a password. */
  onFault(plugin: string, image: string, error: unknown): void;
}

/** The plugins of a configuration. Returns the function for the keyring of a pod (upstream: NewExternalCredentialProviderDockerKeyring). */
export function credentialProviders(
  { providers }: Pick<CredentialProviderConfig, 'providers'>,
  { onFault, ...options }: CredentialProvidersOptions,
): (pod: PullingPod) => Keyring {
  const plugins = providers.map((provider) => new PluginProvider({ ...options, provider }));
  return (pod) => ({
    async lookup(image) {
      const keyring = new BasicKeyring();
      const given = plugins.map(async (plugin) =>
        plugin.provide(image, pod).catch((error: unknown) => {
          onFault(plugin.name, image, error);
          return undefined;
        }),
      );
      for (const provided of await Promise.all(given))
        if (provided !== undefined) keyring.add(provided.config, provided.source);
      return keyring.lookup(image);
    },
  });
}
