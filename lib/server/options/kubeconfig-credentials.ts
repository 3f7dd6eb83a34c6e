import { defined } from '#lib/machinery/defined.ts';
import type { WebhookCredentials } from '#lib/server/webhook/client-config.ts';
import type { Files } from './files.ts';

/** Pairs of fields: one for a file name and one for the file's content. */
type Fields = Readonly<Record<string, string | undefined>>;

/** The credentials of a kubeconfig user. Undefined if it has none. */
export function credentialsOf(user: Fields, files: Files): WebhookCredentials | undefined {
  const certificate = contentOf(user, 'client-certificate', files);
  const key = contentOf(user, 'client-key', files);
  if ((certificate === undefined) !== (key === undefined))
    throw new TypeError('client-certificate and client-key belong together');
  const token = tokenOf(user, files);
  if (certificate === undefined && token === undefined) return undefined;
  return {
    ...(certificate === undefined || key === undefined ? {} : { certificate: { certificate, key } }),
    ...defined({ token }),
  };
}

/** The token. The file takes precedence over the field and is read at each call, because it may be rotated. */
function tokenOf({ token, tokenFile }: Fields, files: Files): (() => Promise<string>) | undefined {
  if (tokenFile !== undefined) {
    const read = files.readLater(tokenFile);
    return async () => (await read()).trim();
  }
  return token === undefined ? undefined : async () => token;
}

/** Reads the field with the suffix -data, or the file that the other field names. */
export function contentOf(fields: Fields, name: string, files: Files): string | undefined {
  const [file, data] = [fields[name], fields[`${name}-data`]];
  if (data !== undefined) return Buffer.from(data, 'base64').toString('latin1');
  return file === undefined ? undefined : files.read(file);
}
