import { randomUUID } from 'node:crypto';
import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { field, fields } from './message.ts';
import type { UnaryClient } from './unary-client.ts';

/** A KMS v2 plugin: its name and its socket. */
export interface Plugin {
  /** The name in the configuration. */
  readonly name: string;
  /** `unix:///path`, or `unix:///@name` for Linux's abstract names. */
  readonly endpoint: string;
  /** Time-out of one call in ms. */
  readonly timeout: number;
}

const SERVICE = '/v2.KeyManagementService/';
const VERSIONS: ReadonlySet<string> = new Set(['v2', 'v2beta1']);
const LONGEST = 1024;
const LONGEST_ANNOTATIONS = 32 * 1024;

/**
 * Encrypts and decrypts data keys with a KMS v2 plugin. The plugin's annotations of an encrypted key are stored with it and sent back to
 * the plugin, because both are fields of a DecryptRequest. gRPC is loaded with the first call.
 */
export function pluginKeyManagement({ name, endpoint, timeout }: Plugin): KeyManagement & AsyncDisposable {
  let loaded: Promise<UnaryClient> | undefined;
  const load = async (): Promise<UnaryClient> => {
    const { UnaryClient } = await import('./unary-client.ts');
    return new UnaryClient(socketOf(endpoint));
  };
  const call = async (
    method: string,
    ...request: readonly Buffer[]
  ): Promise<ReadonlyMap<number, readonly Buffer[]>> => {
    try {
      return fields(await (await (loaded ??= load())).call(`${SERVICE}${method}`, Buffer.concat(request), timeout));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new StoreError('Refused', `the KMS plugin ${JSON.stringify(name)} failed at ${method}: ${why}`, {
        cause,
      });
    }
  };
  return {
    async encrypt(dataKey) {
      const answer = await call('Encrypt', field(1, dataKey), field(2, randomUUID()));
      const ciphertext = bounded(name, 'ciphertext', answer.get(1)?.at(-1));
      const annotations = (answer.get(3) ?? []).map((entry) => field(4, entry));
      if (Buffer.concat(annotations).length > LONGEST_ANNOTATIONS)
        throw wrong(name, `annotations of more than ${LONGEST_ANNOTATIONS} bytes`);
      const keyId = bounded(name, 'key id', answer.get(2)?.at(-1)).toString();
      return { encrypted: Buffer.concat([field(1, ciphertext), ...annotations]), keyId };
    },
    async decrypt(encrypted, keyId) {
      const answer = await call('Decrypt', Buffer.from(encrypted), field(2, randomUUID()), field(3, keyId));
      return bounded(name, 'plaintext', answer.get(1)?.at(-1));
    },
    async keyId() {
      const answer = await call('Status');
      const [version, health] = [1, 2].map((number) => String(answer.get(number)?.at(-1) ?? ''));
      if (!VERSIONS.has(version ?? '')) throw wrong(name, `the version ${JSON.stringify(version)}`);
      if (health !== 'ok') throw wrong(name, `the health ${JSON.stringify(health)}`);
      return bounded(name, 'key id', answer.get(3)?.at(-1)).toString();
    },
    [Symbol.asyncDispose]: async () => (await loaded)?.[Symbol.dispose](),
  };
}

function bounded(name: string, what: string, value: Buffer | undefined): Buffer {
  if (value === undefined || value.length === 0) throw wrong(name, `no ${what}`);
  if (value.length > LONGEST) throw wrong(name, `a ${what} of more than ${LONGEST} bytes`);
  return value;
}

const wrong = (name: string, what: string): StoreError =>
  new StoreError('Refused', `the KMS plugin ${JSON.stringify(name)} answered ${what}`);

/** The path of the socket in an endpoint (upstream: ParseEndpoint). */
function socketOf(endpoint: string): string {
  const path = decodeURIComponent(new URL(endpoint).pathname);
  return path.startsWith('/@') ? `\0${path.slice(2)}` : path;
}
