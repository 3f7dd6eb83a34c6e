import type { Secret } from '#lib/api/types/core.v1.ts';
import { type DockerConfig, readDockerConfig, readDockerConfigJson } from './docker-config.ts';
import { BasicKeyring, type Keyring, unionKeyring } from './keyring.ts';

/**
 * The credentials of a pod's image pull secrets, followed by those of the default keyring. Throws an Error for a Secret that does not
 * decode.
 */
export function makeDockerKeyring(secrets: readonly Secret[], defaultKeyring: Keyring): Keyring {
  const keyring = new BasicKeyring();
  for (const secret of secrets) {
    const config = configOf(secret);
    const { uid = '', namespace = '', name = '' } = secret.metadata;
    if (config !== undefined) keyring.add(config, { secret: { uid, namespace, name } });
  }
  return unionKeyring([keyring, defaultKeyring]);
}

/** The configuration in a Secret of one of the two types. Undefined for another type. */
function configOf({ type, data }: Secret): DockerConfig | undefined {
  if (type === 'kubernetes.io/dockerconfigjson' && data?.['.dockerconfigjson'])
    return readDockerConfigJson(Buffer.from(data['.dockerconfigjson'], 'base64'));
  if (type === 'kubernetes.io/dockercfg' && data?.['.dockercfg'])
    return readDockerConfig(Buffer.from(data['.dockercfg'], 'base64'));
  return undefined;
}
