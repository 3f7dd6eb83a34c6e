import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { moduleOf } from '#lib/machinery/package-name.ts';
import { BUNDLE_OPTIONS } from './bundle-options.ts';
import { withoutLocations } from './locations.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * The SHA-256, in hex, of the code that a user's file and its own dependencies add to a bundle. This package's modules are excluded, so
 * that another version of this program changes nothing. Comments and the files' location do not matter either.
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
