import { existsSync, readFileSync } from 'node:fs';
import type { ServerOptions } from '#lib/server/options/server-options.ts';

/**
 * The options that a deployment ships with the bundle. Undefined if it ships none. The decoder is loaded only if the file exists. Rejects
 * with the decoder's error, although synthesis has already decoded the same file.
 */
export async function shippedOptions(file: string): Promise<ServerOptions | undefined> {
  if (!existsSync(file)) return undefined;
  const [{ parseShipped }, { serverOptions }, { shippedFiles }] = await Promise.all([
    import('#lib/server/options/deployed-flags.ts'),
    import('#lib/server/options/server-options.ts'),
    import('#adapters/server/files/shipped-files.ts'),
  ]);
  const { flags, files } = parseShipped(readFileSync(file, 'utf8'));
  return serverOptions(flags, shippedFiles(files));
}
