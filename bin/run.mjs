import { existsSync } from 'node:fs';
import * as module from 'node:module';

/** Runs a program of this package: `entry` is its module, without an extension. */
export async function run(entry) {
  const [major] = process.versions.node.split('.');
  if (Number(major) < 24) {
    console.error(`davit: needs Node.js 24 or newer, this is ${process.version}`);
    process.exit(1);
  }
  module.enableCompileCache();
  // A checkout runs its source, the package what was built of it.
  const source = new URL(`../${entry}.ts`, import.meta.url);
  await import(existsSync(source) ? source.href : new URL(`../dist/${entry}.js`, import.meta.url).href);
}
