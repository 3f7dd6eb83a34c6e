import { createHash } from 'node:crypto';
import { marshal } from '#lib/machinery/go.ts';
import type { DockerConfig, DockerConfigEntry } from './docker-config.ts';
import { matchesImage, parseRegistryUrl } from './registry-url.ts';

/** The Secret or service account that a credential comes from. */
export interface ObjectCoordinates {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** The source of a credential: a Secret of the pod, its service account, or the node if both are absent. */
export interface CredentialSource {
  readonly secret?: ObjectCoordinates;
  readonly serviceAccount?: ObjectCoordinates;
}

/** A registry credential and its source. */
export interface TrackedAuthConfig extends CredentialSource {
  readonly username: string;
  readonly password: string;
  readonly email: string;
  /** The SHA-256 of the credential in hexadecimal. It is the same in every Secret with the credential. */
  readonly hash: string;
}

/** Finds credentials (upstream: credentialprovider.DockerKeyring). */
export interface Keyring {
  /** The credentials to try for an image without tag and digest, the most specific registry first. */
  lookup(image: string): Promise<readonly TrackedAuthConfig[]>;
}

const DEFAULT_REGISTRY = 'index.docker.io';

/** The credentials of configurations, by registry. */
export class BasicKeyring implements Keyring {
  readonly #credentials = new Map<string, TrackedAuthConfig[]>();

  /** Adds the credentials of a configuration. A registry that is not a URL is skipped. */
  add(config: DockerConfig, source: CredentialSource = {}): void {
    for (const [registry, entry] of config) {
      const url = parseRegistryUrl(registry.replace(/^https?:\/\//, ''));
      if (url === undefined) continue;
      const path = url.path.replace(/^\/v[12]\//, '/');
      const key = url.host + (path === '/' ? '' : path);
      this.#credentials.set(key, [...(this.#credentials.get(key) ?? []), tracked(entry, source)]);
    }
  }

  async lookup(image: string): Promise<readonly TrackedAuthConfig[]> {
    const keys = [...this.#credentials.keys()].sort().reverse();
    const matching = keys.filter((key) => matchesImage(key, image));
    const found = matching.flatMap((key) => this.#credentials.get(key) ?? []);
    if (found.length > 0 || !isDefaultRegistryMatch(image)) return found;
    return this.#credentials.get(DEFAULT_REGISTRY) ?? [];
  }
}

/** The credentials of several keyrings, in order. */
export const unionKeyring = (keyrings: readonly Keyring[]): Keyring => ({
  lookup: async (image) => (await Promise.all(keyrings.map((keyring) => keyring.lookup(image)))).flat(),
});

function tracked({ username, password, email }: DockerConfigEntry, source: CredentialSource): TrackedAuthConfig {
  const struct = Object.entries({ username, password, email }).filter(([, value]) => value !== '');
  const hash = createHash('sha256')
    .update(marshal(new Map(struct)))
    .digest('hex');
  return { username, password, email, hash, ...source };
}

/** Whether an image is on Docker Hub: it has no host or one of Docker Hub's names. */
function isDefaultRegistryMatch(image: string): boolean {
  const [first = '', ...rest] = image.split('/');
  if (first === '') return false;
  return rest.length === 0 || first === 'docker.io' || first === DEFAULT_REGISTRY || !/[.:]/.test(first);
}
