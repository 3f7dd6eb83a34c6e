import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '#lib/machinery/defined.ts';
import type { WebhookCredentials } from '#lib/webhook/client-config.ts';

/** Pairs of a field for a file and one for what would stand in it. */
type Fields = Readonly<Record<string, string | undefined>>;

/** By what a user of a kubeconfig is known; undefined where it says nothing. */
export function credentialsOf(user: Fields, directory: string): WebhookCredentials | undefined {
  const certificate = contentOf(user, 'client-certificate', directory);
  const key = contentOf(user, 'client-key', directory);
  if ((certificate === undefined) !== (key === undefined))
    throw new TypeError('client-certificate and client-key belong together');
  const token = tokenOf(user, directory);
  if (certificate === undefined && token === undefined) return undefined;
  return {
    ...(certificate === undefined || key === undefined ? {} : { certificate: { certificate, key } }),
    ...defined({ token }),
  };
}

/** The file before the text, as whoever rotates it writes there; it is read at every call. */
function tokenOf({ token, tokenFile }: Fields, directory: string): (() => Promise<string>) | undefined {
  if (tokenFile !== undefined) return async () => (await readFile(resolve(directory, tokenFile), 'utf8')).trim();
  return token === undefined ? undefined : async () => token;
}

/** Reads the field that ends with -data, or the file that the other field names. */
export function contentOf(fields: Fields, name: string, directory: string): string | undefined {
  const [file, data] = [fields[name], fields[`${name}-data`]];
  if (data !== undefined) return Buffer.from(data, 'base64').toString('latin1');
  return file === undefined ? undefined : readFileSync(resolve(directory, file), 'utf8');
}
