import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { moduleOf } from '#lib/machinery/package-name.ts';
import { BUNDLE_OPTIONS } from './bundle-options.ts';
import { withoutLocations } from './locations.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * The SHA-256, in hex, of the code that a user's file and its own dependencies add to a bundle. The modules of this package are excluded,
 * so a new release of this package does not change the digest. Comments and the location of files do not affect it either.
 */
export function authorsDigest(file: string): string {
  const how = { ...BUNDLE_OPTIONS, entryNames: 'index', absWorkingDir: ROOT, outdir: join(ROOT, 'dist') } as const;
  const inputs = { entryPoints: { index: file }, external: [moduleOf('*')] };
  const { metafile, outputFiles } = buildSync({ ...how, ...inputs, metafile: true, write: false });
  const modules = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const digest = createHash('sha256');
  for (const [name, text] of withoutLocations(modules, Object.keys(metafile.inputs)))
    digest.update(JSON.stringify([name, text]));
  return digest.digest('hex');
}
