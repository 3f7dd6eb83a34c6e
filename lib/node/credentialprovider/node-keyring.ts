import type { Clock } from '#lib/machinery/clock.ts';
import { type DockerConfig, readDockerConfig, readDockerConfigJson } from './docker-config.ts';
import { BasicKeyring, type Keyring } from './keyring.ts';

/** The locations of a node's own registry credentials. */
export interface NodeKeyringOptions {
  /** The agent's folder. */
  readonly rootDirectory: string;
  readonly workingDirectory: string;
  readonly home: string;
  readonly clock: Clock;
  /** Returns the bytes of a file. Undefined if it does not exist or cannot be read. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** The time in ms for which a configuration is cached. */
const LIFETIME = 5 * 60_000;

/**
 * The node's credentials. They come from the first valid `config.json` (in the agent's folder, the working folder, `~/.docker`,
 * `/.docker`). The fallback is the first valid `.dockercfg` (in the agent's folder, the working folder, `~`, `/`). They are read again
 * after five minutes.
 */
export function nodeKeyring(options: NodeKeyringOptions): Keyring {
  let held: { readonly keyring: Keyring; readonly until: number } | undefined;
  return {
    async lookup(image) {
      const now = options.clock.monotonic();
      if (held === undefined || now >= held.until) held = { keyring: await load(options), until: now + LIFETIME };
      return held.keyring.lookup(image);
    },
  };
}

type Decode = (bytes: Uint8Array) => DockerConfig;

async function load({ rootDirectory, workingDirectory, home, read }: NodeKeyringOptions): Promise<Keyring> {
  const first = [rootDirectory, workingDirectory];
  const json = [...first, `${home}/.docker`, '/.docker'].map((folder) => `${folder}/config.json`);
  const files: (readonly [path: string, decode: Decode])[] = json.map((path) => [path, readDockerConfigJson]);
  for (const folder of [...first, home, '']) files.push([`${folder}/.dockercfg`, readDockerConfig]);
  const keyring = new BasicKeyring();
  for (const [path, decode] of files) {
    const config = valid(await read(path), decode);
    if (config === undefined) continue;
    keyring.add(config);
    break;
  }
  return keyring;
}

/** The configuration in the bytes. Undefined if they contain none, so that the next file is read. */
function valid(bytes: Uint8Array | undefined, decode: Decode): DockerConfig | undefined {
  try {
    return bytes && decode(bytes);
  } catch {
    return undefined;
  }
}
