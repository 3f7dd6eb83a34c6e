import * as z from 'zod';
import type { ExtenderTls } from './transport.ts';

/** Upstream's ExtenderTLSConfig. Data fields are base64 and take precedence over files. */
const tlsConfig = z
  .strictObject({
    insecure: z.boolean().default(false),
    serverName: z.string().default(''),
    certFile: z.string().default(''),
    keyFile: z.string().default(''),
    caFile: z.string().default(''),
    certData: z.base64().default(''),
    keyData: z.base64().default(''),
    caData: z.base64().default(''),
  })
  .prefault({});

/** Throws ZodError, and any error of `readFile`. Like upstream, trusts any HTTPS server if no CA is given. */
export function extenderTls(
  { enableHTTPS, tlsConfig: given }: { readonly enableHTTPS: boolean; readonly tlsConfig?: unknown },
  readFile: (path: string) => string,
): ExtenderTls {
  const { insecure, serverName, ...of } = tlsConfig.parse(given);
  const pem = (data: string, file: string): string => {
    if (data !== '') return Buffer.from(data, 'base64').toString();
    return file === '' ? '' : readFile(file);
  };
  const ca = pem(of.caData, of.caFile);
  const [certificate, key] = [pem(of.certData, of.certFile), pem(of.keyData, of.keyFile)];
  return {
    insecure: insecure || (enableHTTPS && ca === ''),
    serverName,
    ca,
    ...(certificate === '' ? {} : { client: { certificate, key } }),
  };
}
